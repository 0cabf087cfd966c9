/* Four quantities by the GNU Scientific Library, as a textbook writes them down.

   Its argument is what it declares beside its name and version. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sf_psi.h>
#include <gsl/gsl_version.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number after "NAME": in a line, with quotes or without, or NaN where there is none. */
static double parameter(const char *line, const char *name) {
    char key[40];
    snprintf(key, sizeof key, "\"%s\": ", name);
    const char *found = strstr(line, key);
    if (!found) return NAN;
    found += strlen(key);
    return strtod(found + (*found == '"'), NULL);
}

static double delta(double alpha, double step, double epsilon) {
    double q = 1 / (1 + exp(epsilon / step));
    return gsl_sf_beta_inc(alpha, alpha + step, q) -
           exp(epsilon) * gsl_sf_beta_inc(alpha + step, alpha, q);
}

static double renyi(double alpha, double step, double order) {
    double m = order - 1;
    if (m * step >= alpha) return INFINITY;
    if (m == 0) return step * (gsl_sf_psi(alpha + step) - gsl_sf_psi(alpha));
    return (gsl_sf_lngamma(alpha - m * step) + gsl_sf_lngamma(alpha + order * step) -
            gsl_sf_lngamma(alpha) - gsl_sf_lngamma(alpha + step)) / m;
}

/* The chance that the first coordinate falls below gamma, times their number. */
static double tail(double alpha, double count, double rest, double gamma) {
    double others = (count - 1) * alpha + rest;
    if (others == 0) return gamma >= 1;
    return fmin(count * gsl_sf_beta_inc(alpha, others, gamma), 1);
}

int main(int count, char **words) {
    static char line[4096];
    gsl_set_error_handler_off();
    if (count != 2 || !fgets(line, sizeof line, stdin)) return 1; /* {"protocol": 1} */
    printf("{\"name\": \"GSL\", \"version\": \"%s\", %s}\n", gsl_version, words[1]);
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        long id = strtol(line + strlen("{\"id\": "), NULL, 10);
        double alpha = parameter(line, "alpha"), step = parameter(line, "step"), value;
        if (strstr(line, "profile.delta\""))
            value = delta(alpha, step, parameter(line, "epsilon"));
        else if (strstr(line, "total_variation\""))
            value = delta(alpha, step, 0);
        else if (strstr(line, "profile.renyi\""))
            value = renyi(alpha, step, parameter(line, "order"));
        else
            value = tail(alpha, parameter(line, "count"), parameter(line, "rest"),
                         parameter(line, "gamma"));
        printf("{\"id\": %ld, \"value\": \"%a\"}\n", id, value);
        fflush(stdout);
    }
    return 0;
}
