// Made-up questions, and scores whose right map is known.
#pragma once

#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "logit/calibration.h"
#include "logit/fit.h"
#include "numeric/log_space.h"

namespace logit::made_up {

inline Question choice(std::size_t n, const std::string& id = "q") {
  Question question;
  question.id = id;
  question.type = QuestionType::kChoice;
  question.instructions = Content("Which " + id + "?");
  for (std::size_t i = 0; i < n; ++i) question.options.push_back({"o" + std::to_string(i), {}});
  return question;
}

inline Question noul() {
  Question question;
  question.id = "n";
  question.instructions = Content("Is it so?");
  return question;
}

inline Question score(std::size_t n) {
  Question question;
  question.id = "s";
  question.type = QuestionType::kScore;
  for (std::size_t i = 0; i < n; ++i) question.levels.emplace_back("level " + std::to_string(i));
  return question;
}

// Rows whose labels are drawn from softmax(map(scores)): `map` is the right one. Own arithmetic on
// the generator, because the standard distributions differ between libraries.
class Rows {
 public:
  explicit Rows(std::uint64_t seed) : random_(seed) {}

  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  double normal() {  // Box and Muller
    return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(6.283185307179586 * uniform());
  }
  std::size_t draw(const std::vector<double>& probabilities) {
    double left = uniform();
    for (std::size_t i = 0; i + 1 < probabilities.size(); ++i) {
      left -= probabilities[i];
      if (left < 0) return i;
    }
    return probabilities.size() - 1;
  }
  std::vector<double> scores(std::size_t n, double spread) {
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back(spread * normal());
    return values;
  }
  std::vector<ScoredRow> labelled(std::size_t n_rows, std::size_t n, const ScoreMap& map,
                                  double spread = 3) {
    std::vector<ScoredRow> rows;
    for (std::size_t i = 0; i < n_rows; ++i) {
      ScoredRow row{scores(n, spread), {}, 0};
      row.label = draw(softmax(map_scores(map, row.scores)));
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  std::mt19937_64 random_;
};

// A folder of this test's own, removed at the end.
class Folder {
 public:
  explicit Folder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              ("logit-" + name + "-" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code fault;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, fault);
    std::filesystem::remove_all(path_, fault);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      all.push_back(entry.path().filename().string());
    }
    return all;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace logit::made_up
