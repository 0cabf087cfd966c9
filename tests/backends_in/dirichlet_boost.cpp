// Four quantities by Boost.Math, as a textbook writes them down.
//
// Its argument is what it declares beside its name and version.
#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/version.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

// The number after "NAME": in a line, with quotes or without.
static double parameter(const std::string &line, const std::string &name) {
    std::string key = "\"" + name + "\": ";
    const char *found = line.c_str() + line.find(key) + key.size();
    return std::strtod(found + (*found == '"'), nullptr);
}

static double delta(double alpha, double step, double epsilon) {
    double q = 1 / (1 + std::exp(epsilon / step));
    return boost::math::ibeta(alpha, alpha + step, q) -
           std::exp(epsilon) * boost::math::ibeta(alpha + step, alpha, q);
}

static double renyi(double alpha, double step, double order) {
    using boost::math::digamma;
    using boost::math::lgamma;
    double m = order - 1;
    if (m * step >= alpha) return INFINITY;
    if (m == 0) return step * (digamma(alpha + step) - digamma(alpha));
    return (lgamma(alpha - m * step) + lgamma(alpha + order * step) - lgamma(alpha) -
            lgamma(alpha + step)) / m;
}

// The chance that the first coordinate falls below gamma, times their number.
static double tail(double alpha, double count, double rest, double gamma) {
    double others = (count - 1) * alpha + rest;
    if (others == 0) return gamma >= 1;
    return std::min(count * boost::math::ibeta(alpha, others, gamma), 1.0);
}

static double answer(const std::string &line) {
    auto given = [&line](const char *name) { return parameter(line, name); };
    if (line.find("profile.delta\"") != line.npos)
        return delta(given("alpha"), given("step"), given("epsilon"));
    if (line.find("total_variation\"") != line.npos)
        return delta(given("alpha"), given("step"), 0);
    if (line.find("profile.renyi\"") != line.npos)
        return renyi(given("alpha"), given("step"), given("order"));
    return tail(given("alpha"), given("count"), given("rest"), given("gamma"));
}

int main(int count, char **words) {
    std::string line;
    if (count != 2 || !std::getline(std::cin, line)) return 1; // {"protocol": 1}
    std::printf("{\"name\": \"Boost\", \"version\": \"%d.%d\", %s}\n", BOOST_VERSION / 100000,
                BOOST_VERSION / 100 % 1000, words[1]);
    std::fflush(stdout);
    while (std::getline(std::cin, line)) {
        long id = std::strtol(line.c_str() + std::string("{\"id\": ").size(), nullptr, 10);
        try {
            std::printf("{\"id\": %ld, \"value\": \"%a\"}\n", id, answer(line));
        } catch (const std::exception &) {
            std::printf("{\"id\": %ld, \"error\": \"Boost.Math raised an exception\"}\n", id);
        }
        std::fflush(stdout);
    }
    return 0;
}
