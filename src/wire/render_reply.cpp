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
  line.number("noul", answer.probabilities.front());
}

void add_choice(JsonLine& line, const Question& question, const Answer& answer) {
  line.text("choice", question.options[answer.best].name);
  line.open("probabilities", '{');
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    line.number(question.options[i].name, answer.probabilities[i]);
  }
  line.close('}');
  line.number("confidence", answer.confidence);
}

void add_score(JsonLine& line, const Question& question, const Answer& answer) {
  line.number("score", answer.score);
  line.open("legend", '{');
  for (std::size_t i = 0; i < question.levels.size(); ++i) {
    line.raw(std::to_string(i), compact_json(question.levels[i]));
  }
  line.close('}');
  line.open("probabilities", '{');
  for (std::size_t i = 0; i < question.levels.size(); ++i) {
    line.number(std::to_string(i), answer.probabilities[i]);
  }
  line.close('}');
  line.number("confidence", answer.confidence);
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
  line.number(key, *value);
}

// Members are named as the keys of "probabilities" are.
void add_prediction_set(JsonLine& line, const std::string& key, const Question& question,
                        const std::vector<std::size_t>& members) {
  line.open(key, '[');
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
  line.text(prefix + "readout", readout_name(answer.readout));
  add_optional(line, prefix + "abstain", answer.abstain);
  if (answer.accept) {
    line.flag(prefix + "accept", *answer.accept);
  }
  if (answer.prediction_set)
    add_prediction_set(line, prefix + "set", question, *answer.prediction_set);
  add_optional(line, prefix + "label_mass", answer.label_mass);
  add_optional(line, prefix + "order_spread", answer.order_spread);
  add_optional(line, prefix + "lift", answer.lift);
  if (!answer.warnings.empty()) {
    line.text(prefix + "warning", joined(answer.warnings));
  }
}

void add_answer(JsonLine& line, const Question& question, const Answer& answer,
                const std::string& prefix) {
  assert(answer.id == question.id && answer.type == question.type);
  assert(answer.probabilities.size() == candidate_count(question));
  line.open(question.id, '{');
  line.text("type", question_type_name(question.type));
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

void add_usage(JsonLine& line, const Usage& usage) {
  line.open("usage", '{');
  line.count("input_tokens", usage.input_tokens);
  line.count("output_tokens", usage.output_tokens);
  line.close('}');
}

void add_arithmetic(JsonLine& line, const Answer& answer) {
  line.open(answer.id, '{');
  line.numbers("raw", answer.raw);
  line.numbers("baseline", answer.baseline);
  line.numbers("listed", answer.listed);
  line.numbers("channel", answer.channel);
  line.numbers("scores", answer.scores);
  line.numbers("prior", answer.prior);
  line.number("temperature", answer.temperature);
  line.number("tilt", answer.tilt);
  line.numbers("bias", answer.bias);
  line.close('}');
}

void add_diagnostics(JsonLine& line, const Reply& reply, const std::string& prefix) {
  const Diagnostics& cost = reply.diagnostics;
  line.open(prefix + "diagnostics", '{');
  line.count("prefix_tokens", cost.prefix_tokens);
  line.count("branch_tokens", cost.branch_tokens);
  line.count("baseline_tokens", cost.baseline_tokens);
  line.count("second_round_tokens", cost.second_round_tokens);
  line.count("evaluated_tokens", cost.evaluated_tokens);
  line.count("reused_tokens", cost.reused_tokens);
  line.count("passes", cost.passes);
  line.number("plan_ms", cost.plan_ms);
  line.number("evaluate_ms", cost.evaluate_ms);
  line.number("conclude_ms", cost.conclude_ms);
  line.open("questions", '{');
  for (const Answer& answer : reply.answers) add_arithmetic(line, answer);
  line.close('}');
  line.close('}');
}

}  // namespace

std::string render_reply(const Request& request, const Reply& reply, const RenderOptions& options) {
  assert(request.questions.size() == reply.answers.size());
  JsonLine line;
  line.open('{');
  line.text("model", reply.model);
  line.open("answers", '{');
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
