// Tells what runs; entries: those of status.h. Tested by tests/serve/service_test.cpp.
#include "status.h"

#include <algorithm>
#include <utility>

#include "json.h"

namespace logit::serve {
namespace {

constexpr const char* kReleaseDate = "2026-11-30";  // of this version; weights carry no date

Content model_entry(const std::string& name, const std::string& description) {
  Content::Object object;
  object.emplace_back("name", name);
  object.emplace_back("description", description);
  object.emplace_back("release_date", kReleaseDate);
  return Content(std::move(object));
}

Content listed_entry(const std::string& name) {
  Content::Object object;
  object.emplace_back("id", name);
  object.emplace_back("object", "model");
  object.emplace_back("owned_by", "local");
  return Content(std::move(object));
}

std::string description_of(const ModelInfo& model) {
  std::string text = model.architecture;
  if (!model.description.empty()) text.append(text.empty() ? "" : ", ").append(model.description);
  return text.empty() ? "a local model" : text;
}

const char* phase_name(Phase phase) {
  switch (phase) {
    case Phase::kLoading:
      return "loading";
    case Phase::kReady:
      return "ready";
    case Phase::kStopping:
      break;
  }
  return "stopping";
}

std::vector<std::string> warnings_of(const Status& status) {
  std::vector<std::string> warnings = status.model.notes;
  for (const TypeProfile& type : status.profile.types) {
    if (!type.at_chance) continue;
    warnings.push_back(std::string(question_type_name(type.type))
                           .append(" questions are answered no better than by guessing"));
  }
  for (const std::string& warning : status.open_warnings) {
    warnings.push_back("when the model was opened: " + warning);
  }
  if (!status.reload_fault.empty()) {
    warnings.push_back("the last reload failed and changed nothing: " + status.reload_fault);
  }
  return warnings;
}

Content ways_json(const Status& status) {
  Content::Object ways;
  ways.emplace_back("requested", readout_name(status.readout));
  for (const TypeProfile& type : status.profile.types) {
    ways.emplace_back(question_type_name(type.type), std::string(readout_name(type.best.readout))
                                                         .append("/")
                                                         .append(frame_kind_name(type.best.frame)));
  }
  return Content(std::move(ways));
}

// Null without a calibration file.
Content calibration_json(const Status& status) {
  if (!status.calibration) return {};
  Content::Object object;
  object.emplace_back("created", status.calibration->created);
  object.emplace_back("sets", json_texts(status.calibration->sets));
  object.emplace_back("kinds", json_count(status.calibration->kinds.size()));
  object.emplace_back("questions", json_count(status.calibration->questions.size()));
  return Content(std::move(object));
}

void add_model(const Status& status, Content::Object& object) {
  object.emplace_back("model", status.model.id);
  object.emplace_back("fingerprint", status.model.fingerprint);
  object.emplace_back("description", description_of(status.model));
  object.emplace_back("threads", json_count(status.model.n_threads));
  object.emplace_back("context", json_count(status.model.n_context));
  object.emplace_back("readout", ways_json(status));
  object.emplace_back("calibration", calibration_json(status));
  object.emplace_back("warnings", json_texts(warnings_of(status)));
}

}  // namespace

Status ready_status(const Classifier& classifier) {
  Status status;
  status.phase = Phase::kReady;
  status.model = classifier.model();
  status.profile = classifier.profile();
  status.readout = classifier.options().readout;
  status.calibration = classifier.options().calibration;
  return status;
}

std::string fault_text(const Error& error) {
  return error.where.empty() ? error.message : error.where + ": " + error.message;
}

const std::vector<std::string>& model_aliases() {
  static const std::vector<std::string> aliases = {"logit-latest", "logit-preview", "jev-latest",
                                                   "jev-preview"};
  return aliases;
}

bool is_known_model(const Status& status, const std::string& name) {
  const std::vector<std::string>& aliases = model_aliases();
  return name.empty() || name == status.model.id ||
         std::find(aliases.begin(), aliases.end(), name) != aliases.end();
}

std::string models_json(const Status& status) {
  Content::Array models{model_entry(status.model.id, description_of(status.model))};
  Content::Array list{listed_entry(status.model.id)};
  for (const std::string& alias : model_aliases()) {
    models.push_back(model_entry(alias, std::string("another name of ").append(status.model.id)));
    list.push_back(listed_entry(alias));
  }
  Content::Object object;
  object.emplace_back("models", Content(std::move(models)));
  object.emplace_back("object", "list");
  object.emplace_back("data", Content(std::move(list)));
  return compact_json(Content(std::move(object)));
}

std::string health_json(const Status& status) {
  Content::Object object;
  object.emplace_back("status", phase_name(status.phase));
  object.emplace_back("ready", Content(status.phase == Phase::kReady));
  if (status.phase != Phase::kLoading) add_model(status, object);
  return compact_json(Content(std::move(object)));
}

}  // namespace logit::serve
