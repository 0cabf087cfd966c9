/* A small accountant in JavaScript, held against the corpus in certify/vectors/corpus: the same as
   accountant.c, whose comments say why each answer is an upper bound.

   node accountant.mjs FILE.json [FAULT]

   Exit code 0: every case is right; 1: some are wrong, one line each; 2: the file cannot be used.
   FAULT plants a fault, so that one can see the vectors find it. */
import { readFileSync } from "node:fs";

const [path, fault = ""] = process.argv.slice(2);
const has = (name) => fault === name;
const MARGIN = 1e-9, LEAST = 1e-14;

/* ---- Numbers of the files: C99 hex text, which no reader of JavaScript knows ---- */

function double(text) {
  if (typeof text === "number") return text;
  const named = { inf: Infinity, "-inf": -Infinity, nan: NaN };
  if (text in named) return named[text];
  const found = /^(-?)0x([01])\.([0-9a-f]*)p([+-][0-9]+)$/.exec(text);
  if (!found) return undefined; // a word
  const [, sign, whole, part, power] = found;
  const digits = BigInt(`0x${whole}${part}`);
  // 53 bits are exact; a power of two is taken in two steps, so that the smallest doubles are too.
  const exponent = Number(power) - 4 * part.length, half = Math.trunc(exponent / 2);
  const size = Number(digits) * 2 ** half * 2 ** (exponent - half);
  return sign ? -size : size;
}

/* ---- The implementations under test: NaN is a refusal ---- */

const mills = (x) => {
  if (x >= 3) {
    let found = x;
    for (let k = 200; k; k--) found = x + k / found;
    return 1 / found;
  }
  let term = x, sum = x;
  for (let k = 1; k < 200; k++) sum += term *= (x * x) / (2 * k + 1);
  return Math.sqrt(Math.PI / 2) * Math.exp((x * x) / 2) - sum;
};
const phi = (x) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
const tail = (x) => {
  if (has("TruncatedTail") && x > 8) return 0;
  return x < 0 ? 1 - phi(x) * mills(-x) : phi(x) * mills(x);
};
/* Math.max would keep a NaN, which C's fmax drops. */
const atLeast = (x, least) => (x >= least ? x : least);

function gaussianDeltaAt(s, epsilon) {
  const a = epsilon * s - 1 / (2 * s), b = epsilon * s + 1 / (2 * s);
  if (has("Overflow")) return atLeast(tail(a) - Math.exp(epsilon) * tail(b), 0);
  if (has("Cancellation"))
    return atLeast(1 - (1 - tail(a)) - Math.exp(epsilon) * (1 - (1 - tail(b))), 0);
  if (has("TruncatedTail") && a > 8) return 0;
  const found =
    a < 0
      ? tail(a) - phi(a) * mills(b) + LEAST
      : phi(a) * Math.min(mills(a) - mills(b) + LEAST, (1 - a * mills(a)) / s + LEAST);
  if (has("FftRounding")) return atLeast(found - 1e-15, 0);
  return Math.min(found * (1 + MARGIN) + Number.MIN_VALUE, 1);
}

const isNoise = (s) => Number.isFinite(s) && s > 0;
const isProbability = (delta) => delta > 0 && delta <= 1;

function gaussianDelta({ noise_multiplier: s, epsilon }) {
  return isNoise(s) && Number.isFinite(epsilon) && epsilon >= 0 ? gaussianDeltaAt(s, epsilon) : NaN;
}

function gaussianEpsilonAt(s, delta) {
  if (gaussianDeltaAt(s, 0) <= delta) return 0;
  let low = 0, high = 1;
  while (gaussianDeltaAt(s, high) > delta) {
    low = high;
    high *= 2;
    if (high === Infinity) return high;
  }
  for (let k = 0; k < 100; k++) {
    const middle = low + (high - low) / 2;
    if (gaussianDeltaAt(s, middle) > delta) low = middle;
    else high = middle;
  }
  return high;
}

function gaussianEpsilon({ noise_multiplier: s, delta }) {
  return isNoise(s) && isProbability(delta) ? gaussianEpsilonAt(s, delta) : NaN;
}

function gaussianNoise({ epsilon, delta }) {
  if (!(Number.isFinite(epsilon) && epsilon >= 0 && delta > 0 && delta < 1)) return NaN;
  if (has("CalibrationSide: a formula")) return Math.sqrt(2 * Math.log(1.25 / delta)) / epsilon;
  let low = 2 ** -20, high = 2 ** 40;
  for (let k = 0; k < 200; k++) {
    const middle = Math.sqrt(low * high);
    if (gaussianDeltaAt(middle, epsilon) > delta) low = middle;
    else high = middle;
  }
  return has("CalibrationSide") ? low * (1 - 1e-4) : high;
}

function converted(order, rho, delta) {
  const shift = Math.log1p(-1 / order), rest = Math.log(delta) + Math.log(order);
  const found = rho + shift - rest / (order - 1);
  const size = rho + Math.abs(shift) + (Math.abs(Math.log(delta)) + Math.log(order)) / (order - 1);
  return has("OrderDomain: below 0") ? found : Math.max(found + MARGIN * size, 0);
}

function renyiEpsilon({ order, epsilon: rho, delta }) {
  if (!(Number.isFinite(order) && order >= 1 && rho >= 0 && isProbability(delta))) return NaN;
  const used = has("OrderDomain") && order < 1.1 ? 1.1 : order;
  return used === 1 ? ((rho + 1) / delta) * (1 + MARGIN) : converted(used, rho, delta);
}

const MOST_ORDER = 256;
const factorials = [0];
for (let k = 1; k <= MOST_ORDER; k++) factorials.push(factorials[k - 1] + Math.log(k));

function subsampled(order, s, q) {
  if (q === 1) return order / (2 * s * s);
  const terms = [];
  for (let k = 0; k <= order; k++)
    terms.push(
      factorials[order] - factorials[k] - factorials[order - k] +
        (order - k) * Math.log1p(-q) + k * Math.log(q) + (k * (k - 1)) / (2 * s * s),
    );
  const largest = Math.max(...terms);
  const sum = terms.reduce((all, term) => all + Math.exp(term - largest), 0);
  return (largest + Math.log(sum)) / (order - 1) + LEAST * (1 + order);
}

function added(order, s, q) {
  let sum = 0;
  const step = s / 64;
  for (let x = -14 * s; x <= 14 * s; x += step)
    sum += (phi(x / s) / s) * (1 - q + q * Math.exp((2 * x - 1) / (2 * s * s))) ** (1 - order) * step;
  return Math.log(sum) / (order - 1);
}

const isTraining = (s, q, steps) => isNoise(s) && q > 0 && q <= 1 && steps >= 1;
const limit = (s, q, steps) => 1 / (q * Math.sqrt(steps * Math.expm1(1 / (s * s))));

function trainingEpsilon({ noise_multiplier: s, sampling_probability: given, steps, delta }) {
  if (!(isTraining(s, given, steps) && isProbability(delta))) return NaN;
  if (has("CentralLimit")) return gaussianEpsilonAt(limit(s, given, steps), delta);
  const q = has("SamplingScheme") && given === 1 ? 1 / steps : given;
  let least = Infinity;
  for (let order = 2; order <= MOST_ORDER; order++) {
    const one = has("OneDirection") ? added(order, s, q) : subsampled(order, s, q);
    const found = converted(order, steps * one, delta);
    if (found < least) least = found;
  }
  return least;
}

function trainingDelta({ noise_multiplier: s, sampling_probability: q, steps, epsilon }) {
  if (!(isTraining(s, q, steps) && Number.isFinite(epsilon) && epsilon >= 0)) return NaN;
  if (has("CentralLimit")) return gaussianDeltaAt(limit(s, q, steps), epsilon);
  let least = 0;
  for (let order = 2; order <= MOST_ORDER; order++) {
    const rho = steps * subsampled(order, s, q);
    const found = (order - 1) * (rho - epsilon + Math.log1p(-1 / order)) - Math.log(order);
    least = Math.min(least, found + MARGIN * (1 + Math.abs(found)));
  }
  return has("FftRounding") ? atLeast(Math.exp(least) - 1e-15, 0) : Math.exp(least);
}

const IMPLEMENTED = {
  "gaussian.delta": gaussianDelta,
  "gaussian.epsilon": gaussianEpsilon,
  "gaussian.noise_multiplier_for_dp": gaussianNoise,
  "renyi.epsilon_for_dp": renyiEpsilon,
  "dpsgd.epsilon": trainingEpsilon,
  "dpsgd.delta": trainingDelta,
  "composition.delta": () => (has("SamplingScheme: replaced") ? 1 : NaN),
};

/* ---- The rules of VECTORS.md, for a number of which a side is safe ---- */

function isRight(each, safe, answer) {
  if (Number.isNaN(answer)) return each.result !== "valid"; // refused
  if (each.result === "invalid") return false;
  const upper = double(each.upper_double), lower = double(each.lower_double);
  if (!Number.isFinite(answer) || !Number.isFinite(upper)) return answer === upper;
  return safe === "upper" ? answer >= upper : answer <= lower;
}

function fail(why) {
  console.error(`accountant: ${why}`);
  process.exit(2);
}

const file = path ? JSON.parse(readFileSync(path, "utf8")) : fail("which file?");
const answer = IMPLEMENTED[file.quantity] ?? fail("this quantity is not implemented here");
let wrong = 0, refused = 0;
for (const each of file.cases) {
  const inputs = Object.fromEntries(
    Object.entries(each.inputs).map(([name, value]) => [name, double(value)]),
  );
  const found = answer(inputs);
  refused += Number.isNaN(found);
  if (isRight(each, file.safe, found)) continue;
  wrong++;
  console.log(`wrong: ${each.id}, which is ${each.result}: answered ${found}; ${each.flags.join(" ")}`);
}
console.log(`${file.quantity}: ${file.cases.length} cases, ${refused} refused, ${wrong} wrong`);
process.exit(wrong > 0 ? 1 : 0);
