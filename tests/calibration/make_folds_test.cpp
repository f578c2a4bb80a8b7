// src/calibration/make_folds.cpp: rows into folds.
#include <gtest/gtest.h>

#include <algorithm>

#include "calibration/samples.h"

namespace logit::calibration {
namespace {

std::vector<Sample> samples(std::size_t n) {
  std::vector<Sample> all;
  for (std::size_t i = 0; i < n; ++i) {
    all.push_back({{static_cast<double>(i), -static_cast<double>(i)}, i % 3 == 0 ? 1U : 0U});
  }
  return all;
}

TEST(MakeFolds, EveryLabelIsSpreadEvenly) {
  const std::vector<Sample> all = samples(60);
  const std::vector<std::size_t> folds = make_folds(all, 5, 1);
  for (std::size_t fold = 0; fold < 5; ++fold) {
    std::size_t counts[2] = {0, 0};
    for (std::size_t i = 0; i < 60; ++i) counts[all[i].label] += folds[i] == fold ? 1U : 0U;
    EXPECT_EQ(counts[0], 8U);
    EXPECT_EQ(counts[1], 4U);
  }
}

TEST(MakeFolds, DoNotDependOnTheOrderOfTheRows) {
  std::vector<Sample> all = samples(40);
  std::vector<std::size_t> folds = make_folds(all, 4, 7);
  std::reverse(all.begin(), all.end());
  std::reverse(folds.begin(), folds.end());
  EXPECT_EQ(make_folds(all, 4, 7), folds);
}

TEST(MakeFolds, RowsOfEqualScoresShareAFoldWhateverTheirLabels) {
  std::vector<Sample> all = samples(40);
  for (const Sample& sample : samples(40)) all.push_back({sample.scores, 1 - sample.label});
  const std::vector<std::size_t> folds = make_folds(all, 5, 1);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(folds[i], folds[i + 40]) << i;
}

TEST(MakeFolds, AnotherSeedGivesOthers) {
  EXPECT_NE(make_folds(samples(40), 4, 1), make_folds(samples(40), 4, 2));
}

TEST(MakeDivisions, EachHasTheFoldsOfASeedOfItsOwn) {
  const std::vector<Sample> all = samples(40);
  const auto divisions = make_divisions(all, 4, 7, 3);
  ASSERT_EQ(divisions.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(divisions[i], make_folds(all, 4, 7 + i));
}

}  // namespace
}  // namespace logit::calibration
