/* A small accountant, held against the corpus in certify/vectors/corpus: every answer is an upper
   bound that a few units of rounding cannot undo; how loose it is, the vectors do not ask.

   cc -O1 -o accountant accountant.c -lm && ./accountant FILE.json [FAULT]

   Exit codes and FAULT as in consumer.c. accountant.mjs is the same in JavaScript. */
#include "vectors.h"

/* What an answer is raised by, relative and absolute: more than rounding makes of it. */
#define MARGIN 1e-9
#define LEAST 1e-14
static const double PI = 3.14159265358979323846;

/* Q(x)/phi(x) of the normal law, for x >= 0: a continued fraction, or below 3 a series for Q. */
static double mills(double x) {
  if (x >= 3) {
    double found = x;
    for (int k = 200; k; k--) found = x + k / found;
    return 1 / found;
  }
  double term = x, sum = x;
  for (int k = 1; k < 200; k++) sum += term *= x * x / (2 * k + 1);
  return sqrt(PI / 2) * exp(x * x / 2) - sum;
}

static double phi(double x) { return exp(-x * x / 2) / sqrt(2 * PI); }

/* P(X > x). A table that ends at 8 has nothing beyond. */
static double tail(double x) {
  if (has("TruncatedTail") && x > 8) return 0;
  return x < 0 ? 1 - phi(x) * mills(-x) : phi(x) * mills(x);
}

/* delta of a Gaussian answer: Q(a) - e^epsilon Q(b), a = epsilon s - 1/(2 s), b = a + 1/s, where
   e^epsilon phi(b) = phi(a): no power of e is taken that could overflow. */
static double gaussian_delta_at(double s, double epsilon) {
  double a = epsilon * s - 1 / (2 * s), b = epsilon * s + 1 / (2 * s), found;
  if (has("Overflow")) {
    found = tail(a) - exp(epsilon) * tail(b);
    return found > 0 ? found : 0;
  }
  if (has("Cancellation")) return fmax((1 - (1 - tail(a))) - exp(epsilon) * (1 - (1 - tail(b))), 0);
  if (a < 0) found = tail(a) - phi(a) * mills(b) + LEAST;
  else found = phi(a) * fmin(mills(a) - mills(b) + LEAST, (1 - a * mills(a)) / s + LEAST);
  if (has("TruncatedTail") && a > 8) return 0;
  if (has("FftRounding")) return fmax(found - 1e-15, 0);
  return fmin(found * (1 + MARGIN) + 5e-324, 1);
}

static int is_noise(double s) { return isfinite(s) && s > 0; }

static double gaussian_delta(json *in) {
  double s = number(in, "noise_multiplier"), epsilon = number(in, "epsilon");
  return is_noise(s) && isfinite(epsilon) && epsilon >= 0 ? gaussian_delta_at(s, epsilon) : NAN;
}

/* The least epsilon that is surely enough: the upper end of a bisection. */
static double gaussian_epsilon_at(double s, double delta) {
  double low = 0, high = 1;
  if (gaussian_delta_at(s, 0) <= delta) return 0;
  while (gaussian_delta_at(s, high) > delta) {
    low = high;
    if (isinf(high *= 2)) return INFINITY;
  }
  for (int k = 0; k < 100; k++) {
    double middle = low + (high - low) / 2;
    if (gaussian_delta_at(s, middle) > delta) low = middle;
    else high = middle;
  }
  return high;
}

static double gaussian_epsilon(json *in) {
  double s = number(in, "noise_multiplier"), delta = number(in, "delta");
  return is_noise(s) && delta > 0 && delta <= 1 ? gaussian_epsilon_at(s, delta) : NAN;
}

static double gaussian_noise(json *in) {
  double epsilon = number(in, "epsilon"), delta = number(in, "delta");
  if (!(isfinite(epsilon) && epsilon >= 0 && delta > 0 && delta < 1)) return NAN;
  if (has("CalibrationSide: a formula")) return sqrt(2 * log(1.25 / delta)) / epsilon;
  double low = 0x1p-20, high = 0x1p40;
  for (int k = 0; k < 200; k++) {
    double middle = sqrt(low * high);
    if (gaussian_delta_at(middle, epsilon) > delta) low = middle;
    else high = middle;
  }
  return has("CalibrationSide") ? low * (1 - 1e-4) : high;
}

/* The epsilon that (order, rho) gives at delta, Canonne, Kamath and Steinke 2020, Proposition 12. */
static double converted(double order, double rho, double delta) {
  double found = rho + log1p(-1 / order) - (log(delta) + log(order)) / (order - 1);
  double size = rho + fabs(log1p(-1 / order)) + (fabs(log(delta)) + log(order)) / (order - 1);
  return has("OrderDomain: below 0") ? found : fmax(found + MARGIN * size, 0);
}

static double renyi_epsilon(json *in) {
  double order = number(in, "order"), rho = number(in, "epsilon"), delta = number(in, "delta");
  if (!(isfinite(order) && order >= 1 && rho >= 0 && delta > 0 && delta <= 1)) return NAN;
  if (has("OrderDomain") && order < 1.1) order = 1.1;
  /* A divergence rho of order 1: P(L > t) <= (rho + 1)/t, since E[L-] <= 1. */
  return order == 1 ? (rho + 1) / delta * (1 + MARGIN) : converted(order, rho, delta);
}

/* The Renyi divergence of a whole order of one Poisson-subsampled Gaussian step, record removed,
   which is the larger of both (Mironov, Talwar and Zhang 2019, Theorem 5 and section 3.3). */
static double subsampled(int order, double s, double q) {
  if (q == 1) return order / (2 * s * s);
  double largest = -INFINITY, sum = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k <= order; k++) {
      double term = lgamma(order + 1) - lgamma(k + 1) - lgamma(order - k + 1) +
                    (order - k) * log1p(-q) + k * log(q) + k * (k - 1.0) / (2 * s * s);
      if (pass) sum += exp(term - largest);
      else largest = fmax(largest, term);
    }
  return (largest + log(sum)) / (order - 1) + LEAST * (1 + order);
}

/* The same with a record added: an integral, by the trapezoid rule. */
static double added(int order, double s, double q) {
  double sum = 0, step = s / 64;
  for (double x = -14 * s; x <= 14 * s; x += step)
    sum += phi(x / s) / s * pow(1 - q + q * exp((2 * x - 1) / (2 * s * s)), 1 - order) * step;
  return log(sum) / (order - 1);
}

static int is_training(double s, double q, double steps) {
  return is_noise(s) && q > 0 && q <= 1 && steps >= 1;
}

static double training_epsilon(json *in) {
  double s = number(in, "noise_multiplier"), q = number(in, "sampling_probability");
  double steps = number(in, "steps"), delta = number(in, "delta"), least = INFINITY;
  if (!(is_training(s, q, steps) && delta > 0 && delta <= 1)) return NAN;
  if (has("CentralLimit"))
    return gaussian_epsilon_at(1 / (q * sqrt(steps * expm1(1 / (s * s)))), delta);
  if (has("SamplingScheme") && q == 1) q = 1 / steps; /* amplified as if it were sampled */
  for (int order = 2; order <= 256; order++) {
    double rho = steps * (has("OneDirection") ? added(order, s, q) : subsampled(order, s, q));
    least = fmin(least, converted(order, rho, delta));
  }
  return least;
}

/* exp((order - 1)(rho - epsilon + log(1 - 1/order)))/order, the same conversion the other way. */
static double training_delta(json *in) {
  double s = number(in, "noise_multiplier"), q = number(in, "sampling_probability");
  double steps = number(in, "steps"), epsilon = number(in, "epsilon"), least = 0;
  if (!(is_training(s, q, steps) && isfinite(epsilon) && epsilon >= 0)) return NAN;
  if (has("CentralLimit"))
    return gaussian_delta_at(1 / (q * sqrt(steps * expm1(1 / (s * s)))), epsilon);
  for (int order = 2; order <= 256; order++) {
    double rho = steps * subsampled(order, s, q);
    double found = (order - 1) * (rho - epsilon + log1p(-1.0 / order)) - log(order);
    least = fmin(least, found + MARGIN * (1 + fabs(found)));
  }
  if (has("FftRounding")) return fmax(exp(least) - 1e-15, 0);
  return exp(least);
}

/* It composes nothing yet; a fault answers by the numbers of a record more or less. */
static double composed(json *in) {
  (void)in;
  return has("SamplingScheme: replaced") ? 1 : NAN;
}

static implementation implemented(const char *quantity) {
  if (!strcmp(quantity, "gaussian.delta")) return gaussian_delta;
  if (!strcmp(quantity, "gaussian.epsilon")) return gaussian_epsilon;
  if (!strcmp(quantity, "gaussian.noise_multiplier_for_dp")) return gaussian_noise;
  if (!strcmp(quantity, "renyi.epsilon_for_dp")) return renyi_epsilon;
  if (!strcmp(quantity, "dpsgd.epsilon")) return training_epsilon;
  if (!strcmp(quantity, "dpsgd.delta")) return training_delta;
  if (!strcmp(quantity, "composition.delta")) return composed;
  return NULL;
}

int main(int count, char **arguments) {
  if (count < 2) fail("which file?");
  if (count > 2) fault = arguments[2];
  return check(arguments[1], implemented);
}
