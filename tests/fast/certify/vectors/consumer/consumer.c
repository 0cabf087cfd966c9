/* Reads one file of test vectors and checks the small implementations below against it.

   cc -O1 -o consumer consumer.c -lm && ./consumer FILE.json [FAULT]

   Exit code 0: every case is right; 1: some are wrong, one line each; 2: the file cannot be used.
   FAULT plants a fault, so that one can see the vectors find it: see `fault` below. */
#include "vectors.h"

/* ---- The implementations under test: NaN is a refusal ---- */

/* lgammal is good to a few units of 2^-63 of its size or of 1; this is hundreds. */
#define MARGIN 1e-16L

static long double log_beta(long double a, long double b, long double *margin) {
  *margin += MARGIN * (fabsl(lgammal(a)) + fabsl(lgammal(b)) + fabsl(lgammal(a + b)) + 3);
  return lgammal(a) + lgammal(b) - lgammal(a + b);
}

/* A double that is surely not below what a long double stands for, give or take the margin. */
static double above(long double found, long double margin) {
  return nextafter((double)(found + margin), INFINITY);
}

/* benvenuti2025 equation 6:
   log B(k eta, k(1 - 2 eta)) - log B(k(eta + 1/N), k(1 - 2 eta - 1/N))
   + k/N log((1 - (n - 1) gamma)/gamma). */
static double counts_epsilon_bound(json *in) {
  long double k = number(in, "k"), eta = number(in, "eta"), N = number(in, "N");
  long double n = number(in, "n"), gamma = number(in, "gamma"), shift = 1 / N;
  long double room_left = 1 - 2 * eta - shift, margin = 0;
  if (!has("no domain") &&
      !(isfinite(k) && k > 0 && eta > 0 && eta < 1 && N >= 1 && n >= 3 && gamma > 0 && gamma < 1 &&
        n * eta <= 1 && n * gamma < 1 && room_left > 1e-15L && 1 - n * gamma > 1e-15L))
    return NAN;
  if (has("n for N")) shift = 1 / n;
  long double ratio = logl((1 - (has("n for n - 1") ? n : n - 1) * gamma) / gamma);
  long double change = log_beta(k * eta, k * (1 - 2 * eta), &margin) -
                       log_beta(k * (eta + shift), k * (1 - 2 * eta - shift), &margin);
  if (has("log to base 10")) ratio /= logl(10);
  margin += MARGIN * fabsl(k * shift) * (fabsl(ratio) + 3);
  /* What rounding its arguments can do to log B: at most a few units times x psi(x) and so on. */
  margin += MARGIN * (k + 3) * (30 + fabsl(logl(k)) + fabsl(logl(eta)) + fabsl(logl(room_left)));
  if (has("to nearest")) margin = 0;
  long double found = change + k * shift * ratio;
  return has("to nearest") ? (double)found : above(found, margin);
}

/* 2 I_{1/2}(alpha, alpha + step) - 1, by the series with positive terms
   I_{1/2}(a, b) = 2^-(a + b)/(a B(a, b)) (1 + (a + b)/(a + 1)/2 + ...). */
static double total_variation(json *in) {
  long double a = number(in, "alpha"), b = a + number(in, "step"), margin = 0;
  if (!has("no domain") && !(isfinite(b) && a > 0 && b > a)) return NAN;
  if (a > 1e6L || b > 1e6L || a < 1e-9L || b - a < 1e-9L) return NAN; /* not its business */
  long double term = 1, sum = 0;
  for (long j = 0; j < 20000000; j++) {
    sum += term;
    term *= (a + b + j) / (a + 1 + j) / 2;
    long double rest = (a + b + j + 1) / (a + 2 + j) / 2;
    if (rest < 1 && term < 1e-22L * sum * (1 - rest)) break;
    if (has("one term less") && j == 20) break;
  }
  long double log_front = -(a + b) * logl(2) - logl(a) - log_beta(a, b, &margin);
  margin += MARGIN * ((a + b) + fabsl(logl(a)) + 200 + sqrtl(a + b));
  long double found = 2 * expl(log_front + logl(sum) + (has("to nearest") ? 0 : margin)) - 1;
  if (has("1 - P")) found = 1 - (double)(1 - (float)found);
  if (has("to nearest")) return (double)found;
  double answer = above(found, 1e-18L);
  return answer > 1 ? 1 : answer;
}

/* 1 + alpha/step, at most. */
static double largest_order(json *in) {
  double alpha = number(in, "alpha"), step = number(in, "step");
  if (!has("no domain") && !(isfinite(alpha) && isfinite(step) && alpha > 0 && step > 0))
    return NAN;
  if (has("swapped")) return nextafter(1 + nextafter(step / alpha, 0), 0);
  if (has("to nearest")) return 1 + alpha / step;
  double ratio = nextafter(alpha / step, 0);
  return isinf(ratio) ? 1 : nextafter(1 + ratio, 0);
}

static implementation implemented(const char *quantity) {
  if (!strcmp(quantity, "dirichlet.counts.epsilon_bound")) return counts_epsilon_bound;
  if (!strcmp(quantity, "dirichlet.profile.total_variation")) return total_variation;
  if (!strcmp(quantity, "dirichlet.profile.largest_order")) return largest_order;
  return NULL;
}

int main(int count, char **arguments) {
  if (count < 2) fail("which file?");
  if (count > 2) fault = arguments[2];
  return check(arguments[1], implemented);
}
