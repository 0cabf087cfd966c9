# Four quantities by R's own functions, as a textbook writes them down.
#
# Its argument is what it declares beside its name and version.

delta <- function(alpha, step, epsilon) {
  q <- plogis(-epsilon / step)
  pbeta(q, alpha, alpha + step) - exp(epsilon) * pbeta(q, alpha + step, alpha)
}

renyi <- function(alpha, step, order) {
  m <- order - 1
  if (m * step >= alpha) return(Inf)
  if (m == 0) return(step * (digamma(alpha + step) - digamma(alpha)))
  (lgamma(alpha - m * step) + lgamma(alpha + order * step) - lgamma(alpha) -
    lgamma(alpha + step)) / m
}

# The chance that the first coordinate falls below gamma, times their number.
tail_uniform <- function(alpha, count, rest, gamma) {
  others <- (count - 1) * alpha + rest
  if (others == 0) return(as.numeric(gamma >= 1))
  min(count * pbeta(gamma, alpha, others), 1)
}

# The number after "NAME": in a line, with quotes or without.
parameter <- function(line, name) {
  as.numeric(sub(paste0('.*"', name, '": "?([^",}]*).*'), "\\1", line))
}

answer <- function(line) {
  given <- function(name) parameter(line, name)
  quantity <- sub('.*"quantity": "([^"]*)".*', "\\1", line)
  switch(quantity,
    dirichlet.profile.delta = delta(given("alpha"), given("step"), given("epsilon")),
    dirichlet.profile.total_variation = delta(given("alpha"), given("step"), 0),
    dirichlet.profile.renyi = renyi(given("alpha"), given("step"), given("order")),
    dirichlet.tail.uniform =
      tail_uniform(given("alpha"), given("count"), given("rest"), given("gamma"))
  )
}

questions <- file("stdin", "r")
invisible(readLines(questions, 1)) # {"protocol": 1}
cat('{"name": "R", "version": "', as.character(getRversion()), '", ', commandArgs(TRUE), "}\n",
  sep = ""
)
flush(stdout())
while (length(line <- readLines(questions, 1)) > 0) {
  cat('{"id": ', sub('^\\{"id": ([0-9]+).*', "\\1", line), ', "value": "',
    sprintf("%a", suppressWarnings(answer(line))), '"}\n',
    sep = ""
  )
  flush(stdout())
}
