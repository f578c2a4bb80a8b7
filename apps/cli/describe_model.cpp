// Describes a model; entry: description_text. Tested by tests/cli/describe_model_test.cpp.
#include "describe_model.h"

#include <utility>

#include "eval/json_content.h"
#include "text.h"

namespace logit::cli {
namespace {

using eval::json_count;
using eval::json_number;
using eval::json_texts;

double share(const WayResult& result) {
  return result.n == 0 ? 0 : static_cast<double>(result.n_right) / static_cast<double>(result.n);
}

Content way_json(const WayResult& result) {
  Content::Object object;
  object.emplace_back("readout", readout_name(result.way.readout));
  object.emplace_back("frame", frame_kind_name(result.way.frame));
  object.emplace_back("n", json_count(result.n));
  object.emplace_back("n_right", json_count(result.n_right));
  object.emplace_back("accuracy", json_number(share(result)));
  object.emplace_back("log_loss", json_number(result.log_loss));
  const bool has_labels = result.label_mass > 0;
  object.emplace_back("label_mass", has_labels ? json_number(result.label_mass) : Content());
  return Content(std::move(object));
}

Content type_json(const TypeProfile& type) {
  Content::Array ways;
  for (const WayResult& result : type.results) ways.push_back(way_json(result));
  Content::Object object;
  object.emplace_back("type", question_type_name(type.type));
  object.emplace_back("readout", readout_name(type.best.readout));
  object.emplace_back("frame", frame_kind_name(type.best.frame));
  object.emplace_back("chance", json_number(type.chance));
  object.emplace_back("at_chance", Content(type.at_chance));
  object.emplace_back("ways", Content(std::move(ways)));
  return Content(std::move(object));
}

Content memory_json(const ModelDescription& description) {
  if (description.memory.empty()) return Content();
  const MemoryPlan& plan = description.memory.front();
  Content::Array sizes;
  for (const MemoryPlan& other : description.memory) {
    Content::Object size;
    size.emplace_back("context", json_count(other.n_context));
    size.emplace_back("total_bytes", json_count(total_of(other)));
    sizes.emplace_back(std::move(size));
  }
  Content::Object object;
  object.emplace_back("total_bytes", json_count(total_of(plan)));
  object.emplace_back("program_bytes", json_count(plan.program));
  object.emplace_back("weights_bytes", json_count(plan.weights));
  object.emplace_back("context_bytes", json_count(plan.context));
  object.emplace_back("compute_bytes", json_count(plan.compute));
  object.emplace_back("saved_prefixes_bytes", json_count(description.cache_bytes));
  object.emplace_back("available_bytes", json_count(description.available_memory));
  object.emplace_back("by_context", Content(std::move(sizes)));
  return Content(std::move(object));
}

std::string mebibytes(std::uint64_t bytes) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 19U;
  return std::to_string((bytes + kHalf) >> 20U) + " MiB";
}

std::string line(const std::string& name, const std::string& value) {
  constexpr std::size_t kNameWidth = 14;
  return padded(name, kNameWidth) + printable(value) + "\n";
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all;
}

std::string memory_text(const ModelDescription& description) {
  if (description.memory.empty()) return {};
  const MemoryPlan& plan = description.memory.front();
  std::string text =
      line("memory", mebibytes(total_of(plan)) + " at most: weights " + mebibytes(plan.weights) +
                         ", context " + mebibytes(plan.context) + ", compute " +
                         mebibytes(plan.compute) + ", program " + mebibytes(plan.program));
  text += line("", "and up to " + mebibytes(description.cache_bytes) + " of saved prefixes; " +
                       mebibytes(description.available_memory) + " are available");
  for (const MemoryPlan& other : description.memory) {
    text += line(&other == &plan ? "by context" : "",
                 std::to_string(other.n_context) + " tokens: " + mebibytes(total_of(other)));
  }
  return text;
}

std::string context_text(const ModelInfo& model) {
  return std::to_string(model.n_context) + " tokens of " + std::to_string(model.n_trained);
}

std::string way_line(const WayResult& result, const Way& best, const Terminal& terminal) {
  const bool has_labels = result.label_mass > 0;
  const std::string text = "  " + padded(readout_name(result.way.readout), 13) +
                           padded(frame_kind_name(result.way.frame), 7) +
                           std::to_string(result.n_right) + " of " + std::to_string(result.n) +
                           " right, log loss " + fixed(result.log_loss, 3) +
                           (has_labels ? ", label mass " + fixed(result.label_mass, 3) : "");
  if (!(result.way == best)) return text + "\n";
  return toned(text + "  <- used", Tone::kGood, terminal) + "\n";
}

std::string type_text(const TypeProfile& type, const Terminal& terminal) {
  std::string text = toned(question_type_name(type.type), Tone::kStrong, terminal) +
                     ", guessing is right " + fixed(100 * type.chance, 0) + " % of the time\n";
  for (const WayResult& result : type.results) text += way_line(result, type.best, terminal);
  if (!type.at_chance) return text;
  return text + "  " +
         toned("this model answers such questions no better than guessing", Tone::kWarning,
               terminal) +
         "\n";
}

}  // namespace

Content description_json(const ModelDescription& description) {
  const ModelInfo& model = description.model;
  Content::Array types;
  for (const TypeProfile& type : description.profile.types) types.push_back(type_json(type));
  Content::Object object;
  object.emplace_back("model", model.id);
  object.emplace_back("name", model.name);
  object.emplace_back("path", model.path);
  object.emplace_back("architecture", model.architecture);
  object.emplace_back("kind", model.kind);
  object.emplace_back("description", model.description);
  object.emplace_back("parameters", json_count(model.n_parameters));
  object.emplace_back("file_bytes", json_count(model.file_bytes));
  object.emplace_back("fingerprint", model.fingerprint);
  object.emplace_back("context", json_count(model.n_context));
  object.emplace_back("trained_context", json_count(model.n_trained));
  object.emplace_back("vocabulary", json_count(model.n_vocab));
  object.emplace_back("threads", json_count(model.n_threads));
  object.emplace_back("memory", memory_json(description));
  object.emplace_back("labels", json_count(model.labels.size()));
  object.emplace_back("frames", json_texts(description.frames));
  object.emplace_back("notes", json_texts(model.notes));
  object.emplace_back("probe", Content(std::move(types)));
  object.emplace_back("probe_notes", json_texts(description.profile.notes));
  object.emplace_back("profile_file", description.profile_file);
  object.emplace_back("probed_now", Content(description.is_probed_now));
  return Content(std::move(object));
}

std::string description_text(const ModelDescription& description, const Terminal& terminal) {
  const ModelInfo& model = description.model;
  std::string text = line("model", model.id) + line("name", model.name) + line("path", model.path) +
                     line("architecture", model.architecture + ": " + model.kind) +
                     line("weights", model.description) +
                     line("parameters", std::to_string(model.n_parameters)) +
                     line("file", std::to_string(model.file_bytes) + " bytes") +
                     line("fingerprint", model.fingerprint) + line("context", context_text(model)) +
                     line("vocabulary", std::to_string(model.n_vocab)) +
                     line("threads", std::to_string(model.n_threads)) +
                     line("labels", std::to_string(model.labels.size())) +
                     line("frames", joined(description.frames)) + memory_text(description);
  for (const std::string& note : model.notes) text += line("note", note);
  const std::string file = description.profile_file.empty() ? "not kept" : description.profile_file;
  text += line("profile", file + (description.is_probed_now ? " (probed now)" : ""));
  text += "\nWhat a built-in probe found, by type of question:\n";
  for (const TypeProfile& type : description.profile.types) text += type_text(type, terminal);
  for (const std::string& note : description.profile.notes) text += line("note", note);
  return text;
}

}  // namespace logit::cli
