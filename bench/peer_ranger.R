# ranger: does one job (JSON, see systems.py) and prints the result as JSON. Classification uses
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
  if (!grepl("'fortran_order': False", header, fixed = TRUE)) stop(path, ": not in C order")
  width <- if (grepl("<f4", header, fixed = TRUE)) 4 else 8
  values <- readBin(file, "numeric", prod(shape), size = width, endian = "little")
  table <- matrix(values, shape[1], shape[2], byrow = TRUE)
  colnames(table) <- paste0("f", seq_len(shape[2]))
  list(x = table[, -target], y = table[, target])
}

read_rows <- function(job, part) {
  if (endsWith(job[[part]], ".npy")) return(read_npy(job[[part]], as.integer(job$target)))
  read_table(job[[part]], job$target, job$task == "classification")
}

elapsed <- function() proc.time()[["elapsed"]]

peak_bytes <- function() {
  line <- grep("^VmHWM", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) * 1024
}

or_default <- function(value, default) if (is.null(value)) default else value

# The smallest node that may be split has twice the samples of the smallest leaf, as elsewhere;
# ranger 0.14 cannot bound the leaves themselves.
grow <- function(job, x, y) {
  settings <- list(
    x = x, y = y, num.trees = job$trees, mtry = job$max_features,
    min.node.size = 2 * or_default(job$min_leaf, 1) - 1, max.depth = or_default(job$max_depth, 0),
    probability = is.factor(y), oob.error = FALSE, num.threads = job$threads, seed = job$seed,
    verbose = FALSE
  )
  # ranger 0.14 fails if asked to order the factors of a matrix, which has none.
  if (is.data.frame(x)) settings$respect.unordered.factors <- "order"
  if (or_default(job$extra, FALSE)) {
    settings <- c(settings, list(
      splitrule = "extratrees", num.random.splits = 1, replace = FALSE, sample.fraction = 1
    ))
  }
  do.call(ranger, settings)
}

error_of <- function(answer, truth, classes) {
  if (!classes) return(sqrt(mean((answer - truth)^2)))
  mean(colnames(answer)[max.col(answer, ties.method = "first")] != as.character(truth))
}

# The test rows are read after training: the peak is that of training alone.
train <- function(job) {
  rows <- read_rows(job, "train")
  classes <- job$task == "classification"
  y <- if (classes) factor(rows$y) else rows$y
  start <- elapsed()
  forest <- grow(job, rows$x, y)$forest
  seconds <- elapsed() - start
  peak <- peak_bytes()
  saveRDS(forest, job$model, compress = FALSE)
  test <- read_rows(job, "test")
  answer <- predict(forest, test$x, num.threads = job$threads)$predictions
  list(
    error = error_of(answer, test$y, classes), seconds = seconds, peak_bytes = peak,
    model_bytes = file.size(job$model)
  )
}

# The first answer does not count.
batch <- function(job) {
  forest <- readRDS(job$model)
  x <- read_rows(job, "test")$x
  seconds <- sapply(0:job$calls, function(call) {
    start <- elapsed()
    predict(forest, x, num.threads = job$threads)
    elapsed() - start
  })
  list(
    seconds = median(seconds[-1]), peak_bytes = peak_bytes(), model_bytes = file.size(job$model)
  )
}

job <- fromJSON(commandArgs(trailingOnly = TRUE)[1])
result <- if (job$action == "train") train(job) else batch(job)
cat(toJSON(result, auto_unbox = TRUE, digits = NA))
