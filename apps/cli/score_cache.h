// ScoreCache: scores a model gave, kept on disk, so that a refit asks nothing and an interrupted
// run goes on where it stopped.
//
// One file for each model's content, one line of JSON for each row: a hash of everything the
// scores depend on, and the scores. No text of a row is kept. Lines are only ever added, each
// block in one write, so that a run that is killed loses at most the block it was writing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "logit/calibration.h"
#include "logit/classifier.h"
#include "logit/content.h"
#include "logit/result.h"
#include "logit/types.h"

namespace logit::cli {

// What an answer says of the scores and how they came about.
struct CachedScores {
  ScoreSource source{};
  double temperature = 1;  // and tilt: what was done with them
  double tilt = 0;
  double decline_log_odds = 0;  // 0 where nothing was listed
  std::vector<double> scores{};
  std::vector<double> listed{};  // Answer::listed
  bool operator==(const CachedScores&) const = default;
};

// What the classifier's answers depend on beside its model: the settings and the profile.
std::string reading_settings(const Classifier& classifier);

// 16 hexadecimal digits over the state, the question with its candidates in their order, and the
// settings.
std::string score_key(const Content& state, const Question& question, std::string_view settings);

class ScoreCache {
 public:
  // An empty path keeps nothing. A file that is not there is an empty cache; lines that cannot be
  // read are left out. Errors: kFile when it is there and cannot be read.
  static Result<ScoreCache> open(std::filesystem::path file);

  // Null when there are none, or not `n` scores.
  const CachedScores* find(const std::string& key, std::size_t n) const;

  // Also on disk, all of them or an error. Errors: kFile.
  Result<Done> add(std::vector<std::pair<std::string, CachedScores>> scores);

 private:
  explicit ScoreCache(std::filesystem::path file) : file_(std::move(file)) {}
  void take_lines(std::string_view text);

  std::filesystem::path file_;
  std::map<std::string, CachedScores, std::less<>> scores_;
  bool is_last_line_torn_ = false;
};

}  // namespace logit::cli
