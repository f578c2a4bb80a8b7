// Opens a GGUF model as a Backend.
//
// Entry: open_llama_backend(). Tests: tests/llama/load_test.cpp, contract_test.cpp.
#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include "llama/engine_log.h"
#include "llama/fingerprint.h"
#include "llama/handles.h"
#include "llama/limits.h"
#include "llama/machine.h"
#include "llama/memory_plan.h"
#include "llama/model_file.h"
#include "llama/session.h"
#include "llama/vocabulary.h"
#include "logit/calibration.h"
#include "logit/llama_backend.h"
#include "logit/wire.h"

namespace logit {
namespace {

constexpr std::size_t kDefaultContext = 8192;
constexpr std::size_t kLeastContext = 64;
constexpr std::size_t kMostThreads = 512;

class LlamaBackend final : public Backend {
 public:
  LlamaBackend(ModelHandle model, Vocabulary vocabulary, ModelInfo info, std::vector<Frame> frames,
               std::unique_ptr<Session> session)
      : model_(std::move(model)),
        vocabulary_(std::move(vocabulary)),
        info_(std::move(info)),
        frames_(std::move(frames)),
        session_(std::move(session)) {}

  const ModelInfo& info() const override { return info_; }
  std::span<const Frame> frames() const override { return frames_; }
  Result<Tokens> encode(std::string_view text) const override {
    return encode_text(vocabulary_, text);
  }
  Result<EvaluateStats> evaluate(const TokenTree& tree, std::span<double> out,
                                 std::stop_token stop) override {
    return session_->evaluate(tree, out, std::move(stop));
  }
  PrefixMemory prefix_memory() const override {
    return {session_->cache().n_states(), session_->cache().n_bytes()};
  }

 private:
  ModelHandle model_;  // before what points into it
  Vocabulary vocabulary_;
  ModelInfo info_;
  std::vector<Frame> frames_;
  std::unique_ptr<Session> session_;
};

std::string metadata(const llama_model& model, const std::string& key) {
  std::string value(256, '\0');
  const std::int32_t n = llama_model_meta_val_str(&model, key.c_str(), value.data(), value.size());
  value.resize(n < 0 ? 0 : std::min(static_cast<std::size_t>(n), value.size() - 1));
  return value;
}

// Why this model cannot be evaluated as a token tree, or an empty string.
std::string fault_of_model(const llama_model& model, const std::string& architecture) {
  if (llama_vocab_type(llama_model_get_vocab(&model)) == LLAMA_VOCAB_TYPE_NONE) {
    return "has no vocabulary";
  }
  if (!llama_model_has_decoder(&model) || llama_model_has_encoder(&model) ||
      metadata(model, architecture + ".attention.causal") == "false" ||
      architecture.find("bert") != architecture.npos) {
    return "has an encoder (" + architecture + "): it cannot continue a text";
  }
  if (llama_model_is_diffusion(&model)) return "is a diffusion model: it has no next token";
  return {};
}

Result<Done> check_options(const LlamaOptions& options) {
  if (options.n_context != 0 && options.n_context < kLeastContext) {
    return Error{ErrorCode::kConfig,
                 "the context must have at least " + std::to_string(kLeastContext) + " tokens",
                 "n_context"};
  }
  if (options.n_threads > kMostThreads) {
    return Error{ErrorCode::kConfig,
                 "there can be at most " + std::to_string(kMostThreads) + " threads", "n_threads"};
  }
  return Done{};
}

Result<std::size_t> context_size(const ModelHeader& header, std::size_t wanted) {
  const std::size_t trained = std::max<std::size_t>(header.n_context, 1);
  if (wanted > trained) {
    return Error{ErrorCode::kConfig,
                 "a context of " + std::to_string(wanted) + " tokens exceeds the " +
                     std::to_string(trained) + " that the model was trained on",
                 "n_context"};
  }
  return wanted != 0 ? wanted : std::min(kDefaultContext, trained);
}

std::string mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20U) + " MiB"; }

// Before a weight is read: the system would end the process in the middle of it, or of a request.
Result<Done> check_memory(const std::string& path, const ModelHeader& header,
                          std::size_t n_context) {
  const MemoryPlan plan = plan_for(header, n_context);
  const std::uint64_t available = available_memory();
  if (total_of(plan) <= available) return Done{};
  return load_error(path, "needs " + mebibytes(total_of(plan)) + " of memory with a context of " +
                              std::to_string(n_context) + " tokens (" + mebibytes(plan.weights) +
                              " of it weights), and " + mebibytes(available) +
                              " are available: free some, or give a smaller context or model");
}

// Weights are read, not mapped: those that the engine repacks would be in memory twice, and a
// mapped file is no faster where it is read to its end for the fingerprint (docs/models.md).
Result<ModelHandle> load_weights(const std::string& path) {
  const EngineComplaints complaints;
  llama_model_params params = llama_model_default_params();
  params.n_gpu_layers = 0;  // the same numbers on every machine of a kind
  params.load_mode = LLAMA_LOAD_MODE_NONE;
  ModelHandle model(llama_model_load_from_file(path.c_str(), params));
  if (model == nullptr) {
    return load_error(path, "is damaged, cut off or unknown to the engine: " + complaints.text());
  }
  return model;
}

// What a person should know of how this model is run.
std::vector<std::string> notes_of(const ModelHeader& header) {
  std::vector<std::string> notes;
  if (header.n_state_layers > 0) {
    notes.push_back("recurrent layers cannot go back: a question's options are read " +
                    std::to_string(kMaxStates - 2) + " at a time, each on a copy of the state");
  }
  if (header.n_window > 0) {
    notes.push_back("a shared prefix of more than " + std::to_string(header.n_window) +
                    " tokens is evaluated again, not restored, after another one was in use");
  }
  return notes;
}

Result<ModelInfo> describe(const llama_model& model, const ModelHeader& header,
                           const LlamaOptions& options, std::size_t n_context) {
  Result<std::string> fingerprint = fingerprint_of_files(header.parts);
  if (!fingerprint) return std::move(fingerprint).error();
  ModelInfo info;
  info.id = !options.id.empty() ? options.id : std::filesystem::path(options.path).stem().string();
  info.name = metadata(model, "general.name");
  info.path = options.path;
  info.fingerprint = *std::move(fingerprint);
  info.architecture = header.architecture;
  info.kind = kind_of(header);
  std::string description(128, '\0');
  const std::int32_t n = llama_model_desc(&model, description.data(), description.size());
  description.resize(std::min(static_cast<std::size_t>(std::max(n, 0)), description.size() - 1));
  info.description = std::move(description);
  info.n_parameters = llama_model_n_params(&model);
  info.file_bytes = header.file_bytes;
  info.n_context = n_context;
  info.n_trained = header.n_context;
  info.n_threads = options.n_threads != 0 ? options.n_threads : usable_cores();
  info.notes = notes_of(header);
  if (const auto temperature = published_label_temperature(info.name)) {
    info.notes.push_back("scores of labels are divided by " + format_double(*temperature) +
                         ", published for this model, where nothing was fitted");
  }
  return info;
}

}  // namespace

Result<std::unique_ptr<Backend>> open_llama_backend(const LlamaOptions& options) {
  if (Result<Done> ok = check_processor(); !ok) return std::move(ok).error();
  start_engine();
  if (Result<Done> ok = check_options(options); !ok) return std::move(ok).error();
  Result<ModelHeader> header = read_model_header(options.path);
  if (!header) return std::move(header).error();
  const Result<std::size_t> n_context = context_size(*header, options.n_context);
  if (!n_context) return n_context.error();
  if (Result<Done> ok = check_memory(options.path, *header, *n_context); !ok) {
    return std::move(ok).error();
  }
  Result<ModelHandle> model = load_weights(options.path);
  if (!model) return std::move(model).error();
  const std::string fault = fault_of_model(**model, header->architecture);
  if (!fault.empty()) return load_error(options.path, fault);
  // Some files name a window that their architecture does not use.
  header->n_window = static_cast<std::size_t>(std::max(llama_model_n_swa(model->get()), 0));

  Result<ModelInfo> info = describe(**model, *header, options, *n_context);
  if (!info) return std::move(info).error();
  const char* text = llama_model_chat_template(model->get(), nullptr);
  const std::string_view chat_template = text != nullptr ? text : "";
  Vocabulary vocabulary = make_vocabulary(**model, chat_template);
  info->n_vocab = vocabulary.n_tokens;
  info->labels = find_labels(vocabulary);
  if (info->labels.size() < 255) {
    info->notes.push_back("vocabulary has " + std::to_string(info->labels.size()) +
                          " one-token labels");
  }
  std::vector<Frame> frames = find_frames(vocabulary, chat_template, info->notes);
  Result<std::unique_ptr<Session>> session =
      Session::open(**model, {info->n_context, info->n_threads, options.cache_bytes});
  if (!session) return load_error(options.path, "cannot be run: " + session.error().message);
  return std::unique_ptr<Backend>(
      std::make_unique<LlamaBackend>(*std::move(model), std::move(vocabulary), *std::move(info),
                                     std::move(frames), *std::move(session)));
}

}  // namespace logit
