// Numbers and texts chosen by measurement; docs/measurements.md has the tables and the commands.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace logit::pipeline {

// States that say nothing: a candidate's mean weight under them is its baseline.
inline constexpr std::array<std::string_view, 3> kEmptyStates = {"N/A", "", "\xE2\x80\xA6"};

// A state that is itself a question pulls towards what would answer it. Plain questions stand in
// its baseline beside the empty states, of which each counts 1: three fifths of the mean are
// theirs.
inline constexpr std::array<std::string_view, 6> kPlainQuestions = {
    "Who wrote this book?",
    "What does this word mean?",
    "Where can I find the opening hours?",
    "When does the train leave?",
    "Why does this cost so much?",
    "How do I change my address?"};
inline constexpr double kPlainQuestionShare = 0.75;

// Of more options than these they cost much and gain little.
inline constexpr std::size_t kMostOptionsWithPlainQuestions = 25;

// Up to this many tokens a state stands below its question, which many states can share and which
// reads better; a longer one stands above its questions, which then share it.
inline constexpr std::size_t kShortState = 128;

// Letters bind worse the more there are: above this many candidates labels and texts together list
// no more than the leaders by their texts. It is the end of a calibration's band (band_of), so that
// no fit serves both.
inline constexpr std::size_t kMostLabelOptions = 25;
inline constexpr std::size_t kListedLeaders = 4;

// A text's log-probability is divided by (its tokens)^this, so that long names are not favoured.
// Beside labels it is not: models whose letters bind know how long an answer is.
inline constexpr double kLengthExponent = 0.5;
inline constexpr double kLengthExponentBesideLabels = 0;

// Of a description in the mean of what it and its name weigh.
inline constexpr double kDescriptionShare = 0.75;

// Orders in which the label readout lists the candidates.
inline constexpr std::size_t kOrders = 2;

// The orders that `adaptive` lists where the first kOrders disagree: a multiple of theirs, so that
// theirs are among them.
inline constexpr std::size_t kOrdersInDoubt = 4;

// The mix weighs the state under this many leaders, and adds this share of its log-probability.
inline constexpr std::size_t kChannelLeaders = 5;
inline constexpr double kChannelShare = 0.4;

// The same beside the leaders' labels.
inline constexpr double kChannelShareBesideLabels = 0.15;

// Labels and texts together: this share of the texts' gain is added.
inline constexpr double kTextShare = 0.5;

inline constexpr double kLabelTemperature = 1.0;
inline constexpr double kChannelTemperature = 1.2;
inline constexpr double kTextChannelTemperature = 0.85;
inline constexpr double kLabelTextTemperature = 1.25;
inline constexpr double kTextTemperature = 0.8;

}  // namespace logit::pipeline
