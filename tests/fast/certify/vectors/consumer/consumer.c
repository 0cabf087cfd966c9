/* Reads one file of test vectors and checks the small implementations below against it.

   cc -O1 -o consumer consumer.c -lm && ./consumer FILE.json [FAULT]

   Exit code 0: every case is right; 1: some are wrong, one line each; 2: the file cannot be used.
   FAULT plants a fault, so that one can see the vectors find it: see `fault` below. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON: just enough, and trusting its input to be JSON ---- */

typedef struct json {
  char kind; /* '{' '[' '"' or 'x' for everything else */
  char *text;
  struct json *child, *next;
  char *name;
} json;

static const char *at;

static void fail(const char *why) {
  fprintf(stderr, "consumer: %s\n", why);
  exit(2);
}

static void *room(size_t bytes) {
  void *got = calloc(1, bytes);
  if (!got) fail("no memory");
  return got;
}

static void skip(void) { at += strspn(at, " \t\r\n"); }

/* Escapes stay as they stand: no text that is compared here has any. */
static char *text(void) {
  if (*at++ != '"') fail("a text was expected");
  const char *start = at;
  while (*at && *at != '"') at += *at == '\\' && at[1] ? 2 : 1;
  if (!*at) fail("a text has no end");
  char *copy = room((size_t)(at - start) + 1);
  memcpy(copy, start, (size_t)(at - start));
  at++;
  return copy;
}

static json *value(void) {
  json *made = room(sizeof *made), **last = &made->child;
  skip();
  made->kind = *at;
  if (*at == '"') {
    made->text = text();
  } else if (*at == '{' || *at == '[') {
    char end = *at++ == '{' ? '}' : ']';
    for (skip(); *at != end; skip()) {
      char *name = NULL;
      if (end == '}') {
        name = text();
        skip();
        if (*at++ != ':') fail("a colon was expected");
      }
      *last = value();
      (*last)->name = name;
      last = &(*last)->next;
      skip();
      if (*at == ',') at++;
      else if (*at != end) fail("a comma was expected");
    }
    at++;
  } else {
    size_t length = strcspn(at, ",]} \t\r\n");
    if (!length) fail("a value was expected");
    made->kind = 'x';
    made->text = room(length + 1);
    memcpy(made->text, at, length);
    at += length;
  }
  return made;
}

static json *field(json *object, const char *name) {
  for (json *each = object->child; each; each = each->next)
    if (each->name && !strcmp(each->name, name)) return each;
  fprintf(stderr, "consumer: no field %s\n", name);
  exit(2);
}

/* strtod reads C99 hex text, inf and nan, and JSON integers. */
static double number(json *object, const char *name) {
  json *found = field(object, name);
  if (!found->text) fail("a number was expected");
  return strtod(found->text, NULL);
}

/* ---- The implementations under test: NaN is a refusal ---- */

static const char *fault = "";

static int has(const char *name) { return !strcmp(fault, name); }

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

/* ---- The rules of VECTORS.md, for a number of which a side is safe ---- */

static int is_right(json *each, const char *safe, double answer) {
  const char *result = field(each, "result")->text;
  if (isnan(answer)) return strcmp(result, "valid") != 0; /* refused */
  if (!strcmp(result, "invalid")) return 0;
  double upper = number(each, "upper_double"), lower = number(each, "lower_double");
  if (isinf(answer) || isinf(upper)) return isinf(answer) && isinf(upper) && answer > 0;
  return !strcmp(safe, "upper") ? answer >= upper : answer <= lower;
}

static char *contents(const char *path) {
  FILE *stream = fopen(path, "rb");
  if (!stream) fail("the file cannot be read");
  size_t held = 0, most = 1 << 16;
  char *all = room(most);
  for (size_t got; (got = fread(all + held, 1, most - held - 1, stream)) > 0;) {
    held += got;
    if (held + 1 == most && !(all = realloc(all, most *= 2))) fail("no memory");
  }
  fclose(stream);
  all[held] = 0;
  return all;
}

int main(int count, char **arguments) {
  if (count < 2) fail("which file?");
  if (count > 2) fault = arguments[2];
  at = contents(arguments[1]);
  json *file = value();
  const char *quantity = field(file, "quantity")->text, *safe = field(file, "safe")->text;
  double (*answer)(json *) = NULL;
  if (!strcmp(quantity, "dirichlet.counts.epsilon_bound")) answer = counts_epsilon_bound;
  if (!strcmp(quantity, "dirichlet.profile.total_variation")) answer = total_variation;
  if (!strcmp(quantity, "dirichlet.profile.largest_order")) answer = largest_order;
  if (!answer) fail("this quantity is not implemented here");
  int cases = 0, wrong = 0, refused = 0;
  for (json *each = field(file, "cases")->child; each; each = each->next, cases++) {
    double found = answer(field(each, "inputs"));
    refused += isnan(found);
    if (is_right(each, safe, found)) continue;
    wrong++;
    printf("wrong: %s, which is %s: answered %a\n", field(each, "id")->text,
           field(each, "result")->text, found);
  }
  printf("%s: %d cases, %d refused, %d wrong\n", quantity, cases, refused, wrong);
  return wrong > 0;
}
