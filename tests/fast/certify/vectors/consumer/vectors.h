/* What reads a file of test vectors, and the rules of VECTORS.md: no library but libc. */
#ifndef VECTORS_H
#define VECTORS_H
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

static const char *fault = "";

static int has(const char *name) { return !strcmp(fault, name); }

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

/* Asks an implementation at every case of a file, and says which answers are wrong. */
typedef double (*implementation)(json *inputs);

static int check(const char *path, implementation (*implemented)(const char *quantity)) {
  at = contents(path);
  json *file = value();
  const char *quantity = field(file, "quantity")->text, *safe = field(file, "safe")->text;
  implementation answer = implemented(quantity);
  if (!answer) fail("this quantity is not implemented here");
  int cases = 0, wrong = 0, refused = 0;
  for (json *each = field(file, "cases")->child; each; each = each->next, cases++) {
    double found = answer(field(each, "inputs"));
    refused += isnan(found);
    if (is_right(each, safe, found)) continue;
    wrong++;
    printf("wrong: %s, which is %s: answered %a;", field(each, "id")->text,
           field(each, "result")->text, found);
    for (json *flag = field(each, "flags")->child; flag; flag = flag->next)
      printf(" %s", flag->text);
    printf("\n");
  }
  printf("%s: %d cases, %d refused, %d wrong\n", quantity, cases, refused, wrong);
  return wrong > 0;
}

#endif
