# Trains ranger on one job (JSON, see peers.py) and prints the result as JSON. Classification uses
# probability forests: they average the class shares of the leaves, as coppice and scikit-learn do.
suppressPackageStartupMessages({
  library(jsonlite)
  library(ranger)
})

# Missing categories are a level of their own.
read_table <- function(path, target, classes) {
  kinds <- if (classes) setNames("character", target) else NA
  table <- read.csv(path, check.names = FALSE, na.strings = "", colClasses = kinds)
  text <- setdiff(names(table)[sapply(table, is.character)], target)
  for (name in text) {
    table[[name]][is.na(table[[name]])] <- "(missing)"
    table[[name]] <- factor(table[[name]])
  }
  list(x = table[setdiff(names(table), target)], y = table[[target]])
}

# Two-dimensional little-endian float32 or float64 in C order.
read_npy <- function(path, target) {
  file <- file(path, "rb")
  on.exit(close(file))
  readBin(file, "raw", 8)
  header <- readChar(file, readBin(file, "integer", size = 2, signed = FALSE, endian = "little"))
  shape <- as.numeric(regmatches(header, regexec("\\(([0-9]+), ([0-9]+)\\)", header))[[1]][2:3])
  width <- if (grepl("<f4", header, fixed = TRUE)) 4 else 8
  values <- readBin(file, "numeric", prod(shape), size = width, endian = "little")
  table <- matrix(values, shape[1], shape[2], byrow = TRUE)
  colnames(table) <- paste0("f", seq_len(shape[2]))
  list(x = table[, -target], y = table[, target])
}

peak_bytes <- function() {
  line <- grep("^VmHWM", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) * 1024
}

job <- fromJSON(commandArgs(trailingOnly = TRUE)[1])
classes <- job$task == "classification"
if (endsWith(job$train, ".npy")) {
  train <- read_npy(job$train, as.integer(job$target))
  test <- read_npy(job$test, as.integer(job$target))
} else {
  train <- read_table(job$train, job$target, classes)
  test <- read_table(job$test, job$target, classes)
}
y <- if (classes) factor(train$y) else train$y
# ranger 0.14 fails if asked to order the factors of a matrix, which has none.
factors <- if (is.data.frame(train$x)) "order" else NULL

start <- proc.time()[["elapsed"]]
forest <- ranger(
  x = train$x, y = y, num.trees = job$trees, mtry = job$max_features, min.node.size = 1,
  probability = classes, respect.unordered.factors = factors, oob.error = FALSE,
  num.threads = job$threads, seed = job$seed, verbose = FALSE
)
seconds <- proc.time()[["elapsed"]] - start
peak <- peak_bytes()

answer <- predict(forest, test$x, num.threads = job$threads)$predictions
if (classes) {
  error <- mean(colnames(answer)[max.col(answer, ties.method = "first")] != as.character(test$y))
} else {
  error <- sqrt(mean((answer - test$y)^2))
}
cat(toJSON(list(
  error = error, seconds = seconds, peak_bytes = peak,
  model_bytes = length(serialize(forest$forest, NULL))
), auto_unbox = TRUE, digits = NA))
