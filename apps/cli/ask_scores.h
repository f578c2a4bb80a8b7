// Rows through the model for their scores, each asked once in its life.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include "eval/dataset.h"
#include "logit/classifier.h"
#include "logit/fit.h"
#include "logit/result.h"
#include "score_cache.h"

namespace logit::cli {

// What is to be fitted: a task with labelled rows, rows without labels, or both.
struct FitTask {
  eval::Task task;
  std::vector<eval::Row> labelled;
  std::vector<Content> unlabelled;
};

struct AskedTask {
  ScoredRows rows;
  ScoreMap before;                  // what the classifier does without a calibration
  std::size_t n_asked = 0;          // the other rows were in the cache
  std::vector<std::string> failed;  // "row id: why", rows that are too long for the model
  // Rows that were read in another way than most (a mix weighs long states by texts alone); their
  // scores cannot be fitted together.
  std::size_t n_read_otherwise = 0;
};

// A cache that cannot be written is told of once in `warnings`. Progress counts rows. Errors: those
// of classify but kTooLong, with the row in Error::where.
Result<AskedTask> ask_scores(Classifier& classifier, const FitTask& task, ScoreCache& cache,
                             std::vector<std::string>& warnings, const Progress& progress = {},
                             std::stop_token stop = {});

}  // namespace logit::cli
