// pufferfish.max_divergence in JavaScript: log of the largest ratio p_i/q_i, never understated.
"use strict";
const bits = new DataView(new ArrayBuffer(8));

// C99 hex text "0x1.8p-1" as the double it is: a double has at most 53 bits, so both factors and
// their product are exact, and the power is applied in two steps lest one of them be out of range.
function fromHex(text) {
  const [, sign, whole, part, power] = /^(-?)0x([01])\.?([0-9a-f]*)p([+-]\d+)$/.exec(text);
  const mantissa = parseInt(whole + part, 16);
  const exponent = Number(power) - 4 * part.length;
  const half = Math.trunc(exponent / 2);
  return (sign ? -1 : 1) * mantissa * 2 ** half * 2 ** (exponent - half);
}

// A positive double's own bits, written down.
function toHex(value) {
  if (value === Infinity) return "inf";
  bits.setFloat64(0, value);
  const all = bits.getBigUint64(0);
  const exponent = Number(all >> 52n);
  const part = (all & ((1n << 52n) - 1n)).toString(16).padStart(13, "0");
  return exponent ? `0x1.${part}p${exponent - 1023}` : `0x0.${part}p-1022`;
}

// The ratio is rounded once and Math.log is within an ulp or two; near 1 the ratio's own rounding
// is what counts, an absolute 2^-53, so a share and an absolute part are put on top.
function maxDivergence({ p, q }) {
  const ratios = p.map((text, i) => {
    const [top, bottom] = [fromHex(text), fromHex(q[i])];
    return top === 0 ? -Infinity : bottom === 0 ? Infinity : Math.log(top / bottom);
  });
  const largest = Math.max(0, ...ratios);
  return largest + largest * 2 ** -50 + 2 ** -50;
}

function answer(line) {
  const message = JSON.parse(line);
  if ("protocol" in message) {
    return { name: "in-javascript", version: "1", quantities: ["pufferfish.max_divergence"] };
  }
  return { id: message.id, value: toHex(maxDivergence(message.parameters)) };
}

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => process.stdout.write(JSON.stringify(answer(line)) + "\n"));
