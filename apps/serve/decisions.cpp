// Translates the array dialect into the body that parse_request reads; entry: parse_decisions.
// Tested by tests/serve/decisions_test.cpp.
#include "decisions.h"

#include <charconv>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "json.h"

namespace logit::serve {
namespace {

using Loc = std::vector<LocStep>;

Loc below(const Loc& loc, std::initializer_list<LocStep> steps) {
  Loc place = loc;
  place.insert(place.end(), steps);
  return place;
}

const std::string* text_of(const Content* content) {
  return content == nullptr ? nullptr : content->text();
}

// A question as parse_request knows it, and what its numbers are called here.
struct Translated {
  Content::Object question;
  const char* candidates = "";  // the field that became `criteria`
  DecisionLabels labels;
};

class Translator {
 public:
  std::vector<Fault> faults;

  // A text, or the texts of user messages with an empty line between them.
  Content input(const Content& body) {
    const Content* input = find_member(body, "input");
    if (input == nullptr) input = find_member(body, "state");
    if (input == nullptr) {
      fault("missing", {"input"}, "input is missing");
      return "";
    }
    const auto* messages = std::get_if<Content::Array>(&input->value);
    if (find_member(body, "input") == nullptr || messages == nullptr) return *input;
    std::string text;
    for (std::size_t i = 0; i < messages->size(); ++i) {
      message((*messages)[i], {"input", i}, text);
    }
    return Content(std::move(text));
  }

  // Nothing for a question with a fault of this dialect.
  std::optional<Translated> question(const Content& body, const Loc& loc) {
    const std::size_t n_before = faults.size();
    Translated result;
    if (const Content* name = find_member(body, "name")) result.labels.name = *name;
    if (result.labels.name.text() == nullptr && !result.labels.name.is_null()) {
      fault("wrong_type", below(loc, {"name"}), "name must be a string");
    }
    const std::string* type = text_of(find_member(body, "type"));
    const std::string name = type == nullptr ? "" : *type;
    result.question.emplace_back("type", name == "predicate" ? "noul" : name);
    if (const Content* text = find_member(body, "instructions")) {
      result.question.emplace_back("instructions", *text);
    }
    if (name == "choice") {
      choices(body, loc, result);
    } else if (name == "score") {
      levels(body, loc, result);
    } else if (name != "predicate") {
      fault("wrong_value", below(loc, {"type"}), "type must be predicate, choice or score");
    }
    if (faults.size() > n_before) return std::nullopt;
    return result;
  }

  void fault(std::string type, Loc loc, std::string msg) {
    faults.push_back({std::move(type), std::move(loc), std::move(msg)});
  }

 private:
  void message(const Content& message, const Loc& loc, std::string& text) {
    const std::string* role = text_of(find_member(message, "role"));
    if (role == nullptr || *role != "user") {
      fault("wrong_value", below(loc, {"role"}), "only messages of the role user are read");
    }
    const Content* content = find_member(message, "content");
    if (const std::string* words = text_of(content)) return append(*words, text);
    const auto* parts = content == nullptr ? nullptr : std::get_if<Content::Array>(&content->value);
    if (parts == nullptr) {
      return fault("wrong_type", below(loc, {"content"}),
                   "content must be a string or an array of parts");
    }
    for (std::size_t i = 0; i < parts->size(); ++i) {
      part((*parts)[i], below(loc, {"content", i}), text);
    }
  }

  void part(const Content& part, const Loc& loc, std::string& text) {
    const std::string* type = text_of(find_member(part, "type"));
    const std::string* words = text_of(find_member(part, "text"));
    if (type != nullptr && *type == "input_image") {
      fault("unsupported", loc, "pictures are not supported by this version");
    } else if (type == nullptr || *type != "input_text" || words == nullptr) {
      fault("wrong_type", loc, "a part must be {\"type\": \"input_text\", \"text\": ...}");
    } else {
      append(*words, text);
    }
  }

  static void append(const std::string& more, std::string& text) {
    if (!text.empty()) text += "\n\n";
    text += more;
  }

  const Content::Array* array(const Content& body, const char* field, const Loc& loc) {
    const Content* value = find_member(body, field);
    const auto* items = value == nullptr ? nullptr : std::get_if<Content::Array>(&value->value);
    if (items == nullptr) {
      fault(value == nullptr ? "missing" : "wrong_type", below(loc, {field}),
            std::string(field).append(" must be an array"));
    }
    return items;
  }

  const std::string* name_of(const Content& item, const char* field, const Loc& loc) {
    const Content* value = find_member(item, field);
    if (text_of(value) == nullptr) {
      fault(value == nullptr ? "missing" : "wrong_type", below(loc, {field}),
            std::string(field).append(" must be a string"));
    }
    return text_of(value);
  }

  void choices(const Content& body, const Loc& loc, Translated& result) {
    result.candidates = "choices";
    const Content::Array* items = array(body, "choices", loc);
    if (items == nullptr) return;
    Content::Object criteria;
    for (std::size_t i = 0; i < items->size(); ++i) {
      const std::string* value = name_of((*items)[i], "value", below(loc, {"choices", i}));
      const Content* description = find_member((*items)[i], "description");
      if (value != nullptr) criteria.emplace_back(*value, description ? *description : Content());
    }
    result.question.emplace_back("criteria", Content(std::move(criteria)));
  }

  // A level is its label; a description stands behind it, as one text.
  void levels(const Content& body, const Loc& loc, Translated& result) {
    result.candidates = "levels";
    const Content::Array* items = array(body, "levels", loc);
    if (items == nullptr) return;
    Content::Array criteria;
    for (std::size_t i = 0; i < items->size(); ++i) {
      const std::string* label = name_of((*items)[i], "label", below(loc, {"levels", i}));
      if (label == nullptr) continue;
      result.labels.levels.emplace_back(*label);
      const Content* description = find_member((*items)[i], "description");
      std::string text = *label;
      if (description != nullptr && !description->is_null()) {
        text.append(": ").append(prompt_text(*description));
      }
      criteria.emplace_back(std::move(text));
    }
    result.question.emplace_back("criteria", Content(std::move(criteria)));
  }
};

// Places of the translation, and what they are called in this dialect.
class Places {
 public:
  void add(std::size_t place, const Translated& translated) {
    questions_.push_back({place, translated.candidates, {}});
    const Content* criteria = nullptr;
    for (const auto& [key, value] : translated.question) {
      if (key == "criteria") criteria = &value;
    }
    if (criteria == nullptr) return;
    if (const auto* options = std::get_if<Content::Object>(&criteria->value)) {
      for (const auto& option : *options) questions_.back().options.push_back(option.first);
    }
  }

  Loc of(Loc loc) const {
    if (loc.empty()) return loc;
    if (loc.front() == LocStep("state")) loc.front() = "input";
    if (loc.front() != LocStep("questions") || loc.size() < 2) return loc;
    std::size_t index = 0;
    const auto* id = std::get_if<std::string>(&loc[1]);
    if (id == nullptr) return loc;
    std::from_chars(id->data(), id->data() + id->size(), index);
    if (index >= questions_.size()) return loc;
    const Entry& entry = questions_[index];
    loc[1] = entry.place;
    if (loc.size() > 2 && loc[2] == LocStep("criteria")) loc[2] = entry.candidates;
    if (loc.size() > 3) {
      for (std::size_t i = 0; i < entry.options.size(); ++i) {
        if (loc[3] == LocStep(entry.options[i])) loc[3] = i;
      }
    }
    return loc;
  }

 private:
  struct Entry {
    std::size_t place;
    const char* candidates;
    std::vector<std::string> options;
  };
  std::vector<Entry> questions_;
};

// Fields that both dialects have are handed on as they are.
Content::Object shared_fields(const Content& body) {
  Content::Object fields;
  for (const char* name : {"model", "assets", "images", "files"}) {
    if (const Content* value = find_member(body, name)) fields.emplace_back(name, *value);
  }
  return fields;
}

Content question_items(const Content& body, Translator& translator, Places& places,
                       std::vector<DecisionLabels>& labels) {
  Content::Object questions;
  const Content* value = find_member(body, "questions");
  const auto* items = value == nullptr ? nullptr : std::get_if<Content::Array>(&value->value);
  if (items == nullptr) {
    translator.fault(value == nullptr ? "missing" : "wrong_type", {"questions"},
                     "questions must be an array beside input");
    return Content(std::move(questions));
  }
  for (std::size_t i = 0; i < items->size(); ++i) {
    std::optional<Translated> one = translator.question((*items)[i], {"questions", i});
    if (!one) continue;
    places.add(i, *one);
    labels.push_back(std::move(one->labels));
    questions.emplace_back(std::to_string(questions.size()), Content(std::move(one->question)));
  }
  return Content(std::move(questions));
}

Content candidate(const char* key, Content value, double probability) {
  Content::Object object;
  object.emplace_back(key, std::move(value));
  object.emplace_back("probability", json_number(probability));
  return Content(std::move(object));
}

Content choice_probabilities(const Question& question, const Answer& answer) {
  Content::Array items;
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    items.push_back(candidate("value", question.options[i].name, answer.probabilities[i]));
  }
  return Content(std::move(items));
}

Content score_probabilities(const DecisionLabels& labels, const Answer& answer) {
  Content::Array items;
  for (std::size_t i = 0; i < answer.probabilities.size(); ++i) {
    Content::Object object;
    object.emplace_back("value", json_count(i));
    object.emplace_back("label", labels.levels[i]);
    object.emplace_back("probability", json_number(answer.probabilities[i]));
    items.emplace_back(std::move(object));
  }
  return Content(std::move(items));
}

Content render_answer(const Question& question, const DecisionLabels& labels,
                      const Answer& answer) {
  Content::Object object;
  object.emplace_back("name", labels.name);
  switch (question.type) {
    case QuestionType::kNoul:
      object.emplace_back("probability", json_number(answer.probabilities.front()));
      break;
    case QuestionType::kChoice:
      object.emplace_back("choice", question.options[answer.best].name);
      object.emplace_back("confidence", json_number(answer.confidence));
      object.emplace_back("probabilities", choice_probabilities(question, answer));
      break;
    case QuestionType::kScore:
      object.emplace_back("score", json_number(answer.score));
      object.emplace_back("confidence", json_number(answer.confidence));
      object.emplace_back("probabilities", score_probabilities(labels, answer));
      break;
  }
  return Content(std::move(object));
}

}  // namespace

bool is_decisions_body(const Content& body) {
  if (find_member(body, "input") != nullptr) return true;
  const Content* questions = find_member(body, "questions");
  return questions != nullptr && std::holds_alternative<Content::Array>(questions->value);
}

Result<Decisions> parse_decisions(const Content& body) {
  Decisions decisions;
  Translator translator;
  Places places;
  Content::Object fields = shared_fields(body);
  fields.emplace_back("state", translator.input(body));
  fields.emplace_back("questions", question_items(body, translator, places, decisions.labels));
  Result<Request> request = parse_request(compact_json(Content(std::move(fields))));
  // With a question left out for a fault of its own, "too few" would be a fault of ours.
  if (!request && (translator.faults.empty() || !decisions.labels.empty())) {
    for (const Fault& fault : request.error().faults) {
      translator.fault(fault.type, places.of(fault.loc), fault.msg);
    }
  }
  if (!translator.faults.empty()) {
    return Error{ErrorCode::kSchema, "the body breaks the format", "",
                 std::move(translator.faults)};
  }
  decisions.request = *std::move(request);
  return decisions;
}

std::string render_decisions(const Request& request, std::span<const DecisionLabels> labels,
                             const Reply& reply) {
  Content::Array answers;
  for (std::size_t i = 0; i < reply.answers.size(); ++i) {
    answers.push_back(render_answer(request.questions[i], labels[i], reply.answers[i]));
  }
  Content::Object usage;
  usage.emplace_back("input_tokens", json_count(reply.usage.input_tokens));
  usage.emplace_back("output_tokens", json_count(reply.usage.output_tokens));
  Content::Object body;
  body.emplace_back("model", reply.model);
  body.emplace_back("answers", Content(std::move(answers)));
  body.emplace_back("usage", Content(std::move(usage)));
  return compact_json(Content(std::move(body)));
}

}  // namespace logit::serve
