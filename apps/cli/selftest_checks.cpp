// Asks the same questions in many ways; entries: agreement_checks, checks_text. Tested by
// tests/cli/selftest_test.cpp.
#include "selftest_checks.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "text.h"

namespace logit::cli {
namespace {

using Numbers = std::vector<double>;
using Answers = std::map<std::string, Numbers>;  // by the question's id

constexpr const char* kShort = "Charged twice for one order, fix it now!";

Question choice(std::string id, std::vector<const char*> names) {
  Question question;
  question.id = std::move(id);
  question.type = QuestionType::kChoice;
  question.instructions = Content("Which desk should read this?");
  for (const char* name : names) question.options.push_back({name, {}});
  return question;
}

std::vector<Question> three_questions() {
  Question mood;
  mood.id = "mood";
  mood.type = QuestionType::kScore;
  mood.instructions = Content("How cross is the writer?");
  for (const char* level : {"calm", "cross", "furious"}) mood.levels.emplace_back(level);
  Question money;
  money.id = "money";
  std::string padding;
  for (int i = 0; i < 12; ++i) padding += "Read the text with care. ";
  money.instructions = Content(padding + "Is it about money?");  // far longer than the others
  return {choice("desk", {"billing", "technical support", "sales and quotes"}), mood, money};
}

Request request_of(std::string state, std::vector<Question> questions) {
  return {Content(std::move(state)), "", std::move(questions)};
}

// Long enough to be a shared prefix of its own, with nothing in common but its kind.
std::string long_state(const std::string& word) {
  std::string state;
  for (int i = 0; i < 120; ++i) state += word + " " + std::to_string(i) + ". ";
  return state + kShort;
}

Result<Answers> answers_of(const Result<Reply>& reply) {
  if (!reply) return reply.error();
  Answers answers;
  for (const Answer& answer : reply->answers) answers[answer.id] = answer.probabilities;
  return answers;
}

// Empty when every question that both have was answered alike, to the bit.
std::string difference(const Answers& expected, const Answers& found) {
  for (const auto& [id, numbers] : found) {
    const auto other = expected.find(id);
    if (other == expected.end() || other->second == numbers) continue;
    double most = 0;
    for (std::size_t i = 0; i < std::min(numbers.size(), other->second.size()); ++i) {
      most = std::max(most, std::abs(numbers[i] - other->second[i]));
    }
    return "'" + id + "' is answered otherwise: up to " + fixed(most, 6) + " off";
  }
  return {};
}

class Asker {
 public:
  Asker(Classifier& classifier, std::stop_token stop)
      : classifier_(classifier), stop_(std::move(stop)) {}

  Result<Answers> ask(const Request& request) {
    return answers_of(classifier_.classify(request, stop_));
  }
  Result<Answers> ask_beside(const Request& request, const Request& other) {
    const std::vector<Request> batch = {other, request, other};
    return answers_of(classifier_.classify(batch, stop_)[1]);
  }

  // A check that every way of asking gives the expected answers.
  Check compare(std::string name, const Answers& expected,
                const std::vector<std::function<Result<Answers>()>>& ways) const {
    for (const auto& way : ways) {
      const Result<Answers> answers = way();
      if (!answers) return {std::move(name), false, answers.error().message};
      std::string fault = difference(expected, *answers);
      if (!fault.empty()) return {std::move(name), false, std::move(fault)};
    }
    return {std::move(name), true, "equal bits"};
  }

 private:
  Classifier& classifier_;
  std::stop_token stop_;
};

std::vector<std::function<Result<Answers>()>> every_order(Asker& asker) {
  std::vector<std::function<Result<Answers>()>> ways;
  std::vector<std::size_t> order = {0, 1, 2};
  do {
    ways.emplace_back([&asker, order] {
      const std::vector<Question> questions = three_questions();
      Request request = request_of(kShort, {});
      for (const std::size_t i : order) request.questions.push_back(questions[i]);
      return asker.ask(request);
    });
  } while (std::next_permutation(order.begin(), order.end()));
  return ways;
}

std::string tone_text(const Check& check, const Terminal& terminal) {
  return check.passed ? toned("ok    ", Tone::kGood, terminal)
                      : toned("FAILED", Tone::kWarning, terminal);
}

}  // namespace

Check check_of(std::string name, const Result<Done>& result, std::string detail) {
  if (result) return {std::move(name), true, std::move(detail)};
  return {std::move(name), false, result.error().message};
}

std::vector<Check> agreement_checks(Classifier& classifier, std::stop_token stop) {
  Asker asker(classifier, std::move(stop));
  const Request all = request_of(kShort, three_questions());
  const Result<Answers> cold = asker.ask(all);
  if (!cold) return {{"an answer", false, cold.error().message}};
  std::vector<Check> checks;
  checks.push_back(asker.compare("asked again", *cold, {[&] { return asker.ask(all); }}));
  checks.push_back(asker.compare("in every order", *cold, every_order(asker)));

  std::vector<std::function<Result<Answers>()>> lone;
  for (const Question& question : all.questions) {
    lone.emplace_back([&asker, question] { return asker.ask(request_of(kShort, {question})); });
  }
  checks.push_back(asker.compare("alone", *cold, lone));
  Request crowd = all;
  for (int i = 0; i < 12; ++i) {
    crowd.questions.insert(crowd.questions.begin() + i,
                           choice("other " + std::to_string(i), {"yes", "no", "perhaps"}));
    crowd.questions[static_cast<std::size_t>(i)].instructions = Content(std::to_string(i) + "?");
  }
  const Request other = request_of("Something else", three_questions());
  checks.push_back(asker.compare(
      "beside others", *cold,
      {[&] { return asker.ask(crowd); }, [&] { return asker.ask_beside(all, other); }}));

  const Request first = request_of(long_state("First"), three_questions());
  const Request second = request_of(long_state("Second"), three_questions());
  const Result<Answers> first_cold = asker.ask(first);
  if (!first_cold) {
    checks.push_back({"a long state", false, first_cold.error().message});
    return checks;
  }
  checks.push_back(
      asker.compare("a prefix in use", *first_cold, {[&] { return asker.ask(first); }}));
  const Result<Answers> between = asker.ask(second);
  checks.push_back(asker.compare("a prefix that comes back", *first_cold,
                                 {[&] { return between ? asker.ask(first) : between; }}));
  return checks;
}

std::vector<Check> probe_checks(const Profile& profile) {
  std::vector<Check> checks;
  for (const TypeProfile& type : profile.types) {
    std::string detail = std::string(readout_name(type.best.readout)) + " in the " +
                         frame_kind_name(type.best.frame) + " frame";
    for (const WayResult& result : type.results) {
      if (!(result.way == type.best)) continue;
      detail +=
          ", " + std::to_string(result.n_right) + " of " + std::to_string(result.n) + " right";
    }
    if (type.at_chance) detail += ": no better than guessing";
    checks.push_back({std::string("probe ") + question_type_name(type.type), true, detail});
  }
  return checks;
}

bool all_passed(const std::vector<Check>& checks) {
  return std::ranges::all_of(checks, &Check::passed);
}

std::string checks_text(const std::vector<Check>& checks, const Terminal& terminal) {
  std::string text;
  for (const Check& check : checks) {
    text +=
        tone_text(check, terminal) + "  " + padded(check.name, 26) + printable(check.detail) + "\n";
  }
  const auto n_failed = std::ranges::count(checks, false, &Check::passed);
  const std::string verdict = n_failed == 0
                                  ? "passed: all " + std::to_string(checks.size()) + " checks"
                                  : "failed: " + std::to_string(n_failed) + " of " +
                                        std::to_string(checks.size()) + " checks";
  return text + toned(verdict, n_failed == 0 ? Tone::kGood : Tone::kWarning, terminal) + "\n";
}

Content checks_json(const std::string& model, const std::vector<Check>& checks) {
  Content::Array array;
  for (const Check& check : checks) {
    Content::Object object;
    object.emplace_back("check", check.name);
    object.emplace_back("passed", Content(check.passed));
    object.emplace_back("detail", check.detail);
    array.emplace_back(std::move(object));
  }
  Content::Object object;
  object.emplace_back("model", model);
  object.emplace_back("passed", Content(all_passed(checks)));
  object.emplace_back("checks", Content(std::move(array)));
  return Content(std::move(object));
}

}  // namespace logit::cli
