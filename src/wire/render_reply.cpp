// Writes the body of a 200. Its entry is render_reply; docs/protocol.md has the format.
// Tested by tests/wire/render_reply_test.cpp.
#include <cassert>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "logit/wire.h"
#include "wire/json_line.h"

namespace logit {
namespace {

using wire::JsonLine;

void add_noul(JsonLine& line, const Answer& answer) {
  line.key("noul");
  line.number(answer.probabilities.front());
}

void add_choice(JsonLine& line, const Question& question, const Answer& answer) {
  line.key("choice");
  line.text(question.options[answer.best].name);
  line.key("probabilities");
  line.open('{');
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    line.key(question.options[i].name);
    line.number(answer.probabilities[i]);
  }
  line.close('}');
  line.key("confidence");
  line.number(answer.confidence);
}

void add_score(JsonLine& line, const Question& question, const Answer& answer) {
  line.key("score");
  line.number(answer.score);
  line.key("legend");
  line.open('{');
  for (std::size_t i = 0; i < question.levels.size(); ++i) {
    line.key(std::to_string(i));
    line.raw(compact_json(question.levels[i]));
  }
  line.close('}');
  line.key("probabilities");
  line.open('{');
  for (std::size_t i = 0; i < question.levels.size(); ++i) {
    line.key(std::to_string(i));
    line.number(answer.probabilities[i]);
  }
  line.close('}');
  line.key("confidence");
  line.number(answer.confidence);
}

std::string joined(const std::vector<std::string>& warnings) {
  std::string out;
  for (const std::string& warning : warnings) {
    if (!out.empty()) out += "; ";
    out += warning;
  }
  return out;
}

void add_optional(JsonLine& line, const std::string& key, const std::optional<double>& value) {
  if (!value) return;
  line.key(key);
  line.number(*value);
}

// Members are named as the keys of "probabilities" are.
void add_prediction_set(JsonLine& line, const std::string& key, const Question& question,
                        const std::vector<std::size_t>& members) {
  line.key(key);
  line.open('[');
  for (const std::size_t member : members) {
    switch (question.type) {
      case QuestionType::kNoul:
        line.flag(member == 0);
        break;
      case QuestionType::kChoice:
        line.text(question.options[member].name);
        break;
      case QuestionType::kScore:
        line.text(std::to_string(member));
        break;
    }
  }
  line.close(']');
}

void add_extensions(JsonLine& line, const Question& question, const Answer& answer,
                    const std::string& prefix) {
  line.key(prefix + "readout");
  line.text(readout_name(answer.readout));
  add_optional(line, prefix + "abstain", answer.abstain);
  if (answer.accept) {
    line.key(prefix + "accept");
    line.flag(*answer.accept);
  }
  if (answer.prediction_set)
    add_prediction_set(line, prefix + "set", question, *answer.prediction_set);
  add_optional(line, prefix + "label_mass", answer.label_mass);
  add_optional(line, prefix + "order_spread", answer.order_spread);
  add_optional(line, prefix + "lift", answer.lift);
  if (!answer.warnings.empty()) {
    line.key(prefix + "warning");
    line.text(joined(answer.warnings));
  }
}

void add_answer(JsonLine& line, const Question& question, const Answer& answer,
                const std::string& prefix) {
  assert(answer.id == question.id && answer.type == question.type);
  assert(answer.probabilities.size() == candidate_count(question));
  line.key(question.id);
  line.open('{');
  line.key("type");
  line.text(question_type_name(question.type));
  switch (question.type) {
    case QuestionType::kNoul:
      add_noul(line, answer);
      break;
    case QuestionType::kChoice:
      add_choice(line, question, answer);
      break;
    case QuestionType::kScore:
      add_score(line, question, answer);
      break;
  }
  add_extensions(line, question, answer, prefix);
  line.close('}');
}

void add_count(JsonLine& line, std::string_view key, std::size_t value) {
  line.key(key);
  line.count(value);
}

void add_number(JsonLine& line, std::string_view key, double value) {
  line.key(key);
  line.number(value);
}

void add_usage(JsonLine& line, const Usage& usage) {
  line.key("usage");
  line.open('{');
  add_count(line, "input_tokens", usage.input_tokens);
  add_count(line, "output_tokens", usage.output_tokens);
  line.close('}');
}

void add_arithmetic(JsonLine& line, const Answer& answer) {
  line.key(answer.id);
  line.open('{');
  line.key("raw");
  line.numbers(answer.raw);
  line.key("baseline");
  line.numbers(answer.baseline);
  line.key("listed");
  line.numbers(answer.listed);
  line.key("channel");
  line.numbers(answer.channel);
  line.key("scores");
  line.numbers(answer.scores);
  line.key("prior");
  line.numbers(answer.prior);
  add_number(line, "temperature", answer.temperature);
  add_number(line, "tilt", answer.tilt);
  line.key("bias");
  line.numbers(answer.bias);
  line.close('}');
}

void add_diagnostics(JsonLine& line, const Reply& reply, const std::string& prefix) {
  const Diagnostics& cost = reply.diagnostics;
  line.key(prefix + "diagnostics");
  line.open('{');
  add_count(line, "prefix_tokens", cost.prefix_tokens);
  add_count(line, "branch_tokens", cost.branch_tokens);
  add_count(line, "baseline_tokens", cost.baseline_tokens);
  add_count(line, "second_round_tokens", cost.second_round_tokens);
  add_count(line, "evaluated_tokens", cost.evaluated_tokens);
  add_count(line, "reused_tokens", cost.reused_tokens);
  add_count(line, "passes", cost.passes);
  add_number(line, "plan_ms", cost.plan_ms);
  add_number(line, "evaluate_ms", cost.evaluate_ms);
  add_number(line, "conclude_ms", cost.conclude_ms);
  line.key("questions");
  line.open('{');
  for (const Answer& answer : reply.answers) add_arithmetic(line, answer);
  line.close('}');
  line.close('}');
}

}  // namespace

std::string render_reply(const Request& request, const Reply& reply, const RenderOptions& options) {
  assert(request.questions.size() == reply.answers.size());
  JsonLine line;
  line.open('{');
  line.key("model");
  line.text(reply.model);
  line.key("answers");
  line.open('{');
  for (std::size_t i = 0; i < reply.answers.size(); ++i) {
    add_answer(line, request.questions[i], reply.answers[i], options.extension_prefix);
  }
  line.close('}');
  add_usage(line, reply.usage);
  if (options.diagnostics == DiagnosticsDetail::kFull) {
    add_diagnostics(line, reply, options.extension_prefix);
  }
  line.close('}');
  return std::move(line).take();
}

}  // namespace logit
