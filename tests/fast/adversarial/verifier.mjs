/* A small verifier of certificates, with nothing but Node.js: bytes, canonical form, envelope and
   signatures. It is held against the corpus that it stands in.

   node verifier.mjs FOLDER [FAULT]

   Exit code 0: every case of its levels comes out; 1: some do not, one line each; 2: no corpus.
   FAULT plants a fault, so that one can see the corpus find it. */
import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [folder, fault = ""] = process.argv.slice(2);
const has = (name) => fault === name;
const TYPE = "application/vnd.in-toto+json";

class Refused extends Error {}
const require = (holds, why) => {
  if (!holds) throw new Refused(why);
};

/* JSON as RFC 8785 writes it, of the values that a certificate has: no number but whole ones. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${entries.join(",")}}`;
}

/* The decimal exponents of all numbers in quotes: whoever builds these numbers needs that many digits. */
const MOST_EXPONENTS = 20_000_000;
function exponents(value) {
  let sum = 0;
  for (const waiting = [value]; waiting.length; ) {
    const item = waiting.pop();
    if (typeof item === "string") {
      const found = /^\s*[+-]?[0-9.]+[eE][+-]?([0-9]{1,9})\s*$/.exec(item);
      if (found) sum += Number(found[1]);
    } else if (item !== null && typeof item === "object") waiting.push(...Object.values(item));
  }
  return sum;
}

/* A key that stands twice, a space, an escape, a number in another form: then the bytes are not the
   canonical form of what was read. */
function read(bytes) {
  let text, value;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new Refused("no JSON in UTF-8");
  }
  require(exponents(value) <= MOST_EXPONENTS, "numbers too large together");
  if (has("any form")) return value;
  let again;
  try {
    again = canonical(value);
  } catch {
    throw new Refused("nested too deeply");
  }
  require(again === text, "not canonical");
  return value;
}

/* Bytes in base64 of one form only. */
function unwrapped(text) {
  require(typeof text === "string", "no text");
  const bytes = Buffer.from(text, "base64");
  require(has("any base64") || bytes.toString("base64") === text, "another form of base64");
  return bytes;
}

const isTable = (value, ...keys) =>
  value !== null && typeof value === "object" && !Array.isArray(value) &&
  JSON.stringify(Object.keys(value).sort()) === JSON.stringify(keys);

/* What is signed: "DSSEv1", the length of the type, the type, the length of the bytes, the bytes. */
function signedBytes(payload) {
  const type = Buffer.from(TYPE);
  const head = Buffer.from(`DSSEv1 ${type.length} ${TYPE} ${payload.length} `);
  return has("type not signed") ? payload : Buffer.concat([head, payload]);
}

function opened(envelope, keys) {
  require(isTable(envelope, "payload", "payloadType", "signatures"), "fields of an envelope");
  require(envelope.payloadType === TYPE, "another type");
  const { signatures } = envelope;
  require(Array.isArray(signatures) && signatures.length > 0 && signatures.length <= 100, "signatures");
  const payload = unwrapped(envelope.payload), right = new Set();
  let before = "";
  for (const each of signatures) {
    require(isTable(each, "keyid", "sig"), "fields of a signature");
    require(typeof each.keyid === "string" && /^[0-9a-f]{64}$/.test(each.keyid), "keyid");
    require(has("any order") || each.keyid > before, "out of order, or twice");
    before = each.keyid;
    const signature = unwrapped(each.sig);
    require(signature.length === 64, "a signature of another length");
    const key = keys.get(each.keyid);
    const signed = key && (has("no signature") || verify(null, signedBytes(payload), key, signature));
    if (signed) right.add(each.keyid);
  }
  require(right.size >= (has("one is enough") ? 1 : keys.size), "not signed");
  return payload;
}

function verified(path, keys) {
  const value = read(readFileSync(join(folder, path)));
  const isEnvelope = value !== null && typeof value === "object" && "payload" in value;
  require(isEnvelope || keys.size === 0, "not signed");
  const statement = isEnvelope ? read(opened(value, keys)) : value;
  require(isTable(statement, "_type", "predicate", "predicateType", "subject"), "no statement");
}

/* Public keys by their fingerprints: sha256 of the SubjectPublicKeyInfo in DER. */
function keysIn(paths) {
  const keys = paths.map((path) => createPublicKey(readFileSync(join(folder, path))));
  const print = (key) =>
    createHash("sha256").update(key.export({ type: "spki", format: "der" })).digest("hex");
  return new Map(keys.map((key) => [print(key), key]));
}

let index;
try {
  index = JSON.parse(readFileSync(join(folder, "index.json"), "utf8"));
} catch {
  console.error("verifier: which folder? It needs an index.json");
  process.exit(2);
}
/* Of its levels, and of form the kind that it knows. */
const LEVELS = new Set(["bytes", "envelope", "signature"]);
const mine = ({ kind }) =>
  kind === null || kind === "CanonicalFormError" || LEVELS.has(index.kinds[kind].level);
let wrong = 0, held = 0;
for (const each of index.cases.filter(mine)) {
  held++;
  let refused = "";
  try {
    verified(each.certificate, keysIn(each.keys));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refused = error.message;
  }
  if (Boolean(refused) === (each.result === "refuse")) continue;
  wrong++;
  console.log(`wrong: ${each.id}, which is to ${each.result}; ${each.kind ?? refused}`);
}
console.log(`${held} of ${index.cases.length} cases, ${wrong} wrong`);
process.exit(wrong > 0 ? 1 : 0);
