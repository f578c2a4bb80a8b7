// Finds the labels that a vocabulary can give to options.
//
// Entry: find_labels(). Tests: tests/llama/vocabulary_test.cpp.
#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "llama/vocabulary.h"

namespace logit {
namespace {

constexpr std::size_t kMaxLabels = 255;

// Two-letter labels that mean something by themselves: a model would prefer or avoid them.
constexpr std::array<std::string_view, 40> kWords = {
    "AD", "AH", "AI", "AM", "AN", "AS", "AT", "BE", "BY", "DO", "EH", "GO", "HA", "HE",
    "HI", "ID", "IF", "IN", "IS", "IT", "LO", "MA", "ME", "MY", "NO", "OF", "OH", "OK",
    "ON", "OR", "OX", "PA", "PM", "SO", "TO", "TV", "UK", "UP", "US", "WE"};

bool is_word(std::string_view text) { return std::ranges::find(kWords, text) != kWords.end(); }

std::vector<std::string> candidates() {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::vector<std::string> texts;
  for (const char a : kLetters) texts.emplace_back(1, a);
  for (const char a : kLetters) {
    for (const char b : kLetters) texts.push_back({a, b});
  }
  return texts;
}

// encode(before + label) is encode(before) and then this one id.
bool follows(const Vocabulary& vocabulary, const std::string& before, const Label& label) {
  Result<Tokens> head = encode_text(vocabulary, before);
  const Result<Tokens> both = encode_text(vocabulary, before + label.text);
  if (!head || !both) return false;
  head->push_back(label.id);
  return *head == *both;
}

bool opens(const Vocabulary& vocabulary, const Label& label, const std::string& after) {
  const Result<Tokens> both = encode_text(vocabulary, label.text + after);
  return both && !both->empty() && both->front() == label.id;
}

}  // namespace

std::vector<Label> find_labels(const Vocabulary& vocabulary) {
  std::vector<Label> labels;
  std::set<Token> taken;
  for (std::string& text : candidates()) {
    if (labels.size() == kMaxLabels) break;
    if (is_word(text)) continue;
    const Result<Tokens> alone = encode_text(vocabulary, text);
    if (!alone || alone->size() != 1) continue;
    Label label{std::move(text), alone->front()};
    // Behind a space: many vocabularies (Qwen, Llama 3) have "(A" as one token, but not " (A".
    if (!follows(vocabulary, " (", label) || !follows(vocabulary, "\n", label)) continue;
    if (!opens(vocabulary, label, ")")) continue;
    if (taken.insert(label.id).second) labels.push_back(std::move(label));
  }
  return labels;
}

}  // namespace logit
