// Draws answers as bars; entry: draw_reply. Tested by tests/cli/draw_reply_test.cpp.
#include "draw_reply.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <vector>

#include "text.h"

namespace logit::cli {
namespace {

constexpr std::size_t kMostShown = 12;
constexpr std::size_t kWidestName = 36;
constexpr std::size_t kWidestBar = 40;
constexpr std::size_t kNarrowestBar = 8;
constexpr std::size_t kNumberWidth = 9;  // two blanks, "0.1234" and one more

std::vector<std::string> candidate_names(const Question& question) {
  std::vector<std::string> names;
  if (question.type == QuestionType::kNoul) return {"yes", "no"};
  for (const Option& option : question.options) names.push_back(printable(option.name));
  for (std::size_t i = 0; i < question.levels.size(); ++i) {
    names.push_back(std::to_string(i) + " " + printable(prompt_text(question.levels[i])));
  }
  for (std::string& name : names) name = name.empty() ? "\"\"" : shortened(name, kWidestName);
  return names;
}

// In the question's order; only the most likely, most likely first, when there are too many.
std::vector<std::size_t> shown_candidates(const std::vector<double>& probabilities) {
  std::vector<std::size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (order.size() <= kMostShown) return order;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return probabilities[a] > probabilities[b];
  });
  order.resize(kMostShown);
  return order;
}

std::string title(const Question& question, const Answer& answer, const Terminal& terminal) {
  const std::string kind =
      std::string(question_type_name(question.type)) + ", " + readout_name(answer.readout);
  const std::size_t taken = display_width(question.id) + kind.size() + 4;
  const std::size_t room = std::max(terminal.width, taken + 10) - taken;
  const std::string asked = shortened(printable(prompt_text(question.instructions)), room);
  return toned(printable(question.id), Tone::kStrong, terminal) + "  " +
         toned(kind, Tone::kFaint, terminal) + (asked.empty() ? "" : "  " + asked) + "\n";
}

std::string rest_line(const Answer& answer, const std::vector<std::size_t>& shown) {
  if (shown.size() == answer.probabilities.size()) return "";
  double sum = 0;
  for (const std::size_t i : shown) sum += answer.probabilities[i];
  return "  and " + std::to_string(answer.probabilities.size() - shown.size()) +
         " less likely, together " + fixed(std::max(0.0, 1 - sum), 4) + "\n";
}

std::string bars(const Question& question, const Answer& answer, const Terminal& terminal) {
  const std::vector<std::string> names = candidate_names(question);
  const std::vector<std::size_t> shown = shown_candidates(answer.probabilities);
  std::size_t name_width = 0;
  for (const std::size_t i : shown) name_width = std::max(name_width, display_width(names[i]));
  const std::size_t taken = name_width + kNumberWidth + 4;
  const std::size_t room = terminal.width > taken ? terminal.width - taken : 0;
  const std::size_t bar_width = std::clamp(room, kNarrowestBar, kWidestBar);
  std::string text;
  for (const std::size_t i : shown) {
    const double p = answer.probabilities[i];
    const Tone tone = i == answer.best ? Tone::kGood : Tone::kFaint;
    text += "  " + padded(names[i], name_width) + "  " +
            toned(draw_bar(p, bar_width, terminal.glyphs), tone, terminal) + "  " + fixed(p, 4) +
            "\n";
  }
  return text + rest_line(answer, shown);
}

std::string summary(const Question& question, const Answer& answer) {
  if (question.type == QuestionType::kNoul) return "";
  std::string text = "  ";
  if (question.type == QuestionType::kScore) {
    text += "score " + fixed(answer.score, 3) + " of " +
            std::to_string(question.levels.size() - 1) + ", ";
  }
  return text + "confidence " + fixed(answer.confidence, 3) + "\n";
}

}  // namespace

std::string draw_reply(const Request& request, const Reply& reply, const Terminal& terminal) {
  std::string text;
  for (std::size_t i = 0; i < reply.answers.size(); ++i) {
    const Question& question = request.questions[i];
    const Answer& answer = reply.answers[i];
    text += title(question, answer, terminal) + bars(question, answer, terminal) +
            summary(question, answer);
    for (const std::string& warning : answer.warnings) {
      text += "  " + toned("note: " + printable(warning), Tone::kWarning, terminal) + "\n";
    }
  }
  const std::string cost =
      printable(reply.model) + ", " + std::to_string(reply.usage.input_tokens) + " tokens, " +
      fixed(
          reply.diagnostics.plan_ms + reply.diagnostics.evaluate_ms + reply.diagnostics.conclude_ms,
          0) +
      " ms";
  return text + toned(cost, Tone::kFaint, terminal) + "\n";
}

}  // namespace logit::cli
