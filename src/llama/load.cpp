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
#include "llama/model_file.h"
#include "llama/session.h"
#include "llama/vocabulary.h"
#include "logit/llama_backend.h"

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
  if (llama_model_is_recurrent(&model) || llama_model_is_hybrid(&model)) {
    return "is recurrent or hybrid (" + architecture +
           "): its state cannot be rewound to a shared prefix, and this is not supported yet";
  }
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

Result<std::size_t> context_size(const llama_model& model, std::size_t wanted) {
  const auto trained = static_cast<std::size_t>(std::max(llama_model_n_ctx_train(&model), 1));
  if (wanted > trained) {
    return Error{ErrorCode::kConfig,
                 "a context of " + std::to_string(wanted) + " tokens exceeds the " +
                     std::to_string(trained) + " that the model was trained on",
                 "n_context"};
  }
  return wanted != 0 ? wanted : std::min(kDefaultContext, trained);
}

Result<ModelHandle> load_weights(const std::string& path) {
  const EngineComplaints complaints;
  llama_model_params params = llama_model_default_params();
  params.n_gpu_layers = 0;  // the same numbers on every machine of a kind
  ModelHandle model(llama_model_load_from_file(path.c_str(), params));
  if (model == nullptr) {
    return load_error(path, "is damaged, cut off or unknown to the engine: " + complaints.text());
  }
  return model;
}

Result<ModelInfo> describe(const llama_model& model, const LlamaOptions& options) {
  Result<std::string> fingerprint = fingerprint_of_file(options.path);
  if (!fingerprint) return std::move(fingerprint).error();
  Result<std::size_t> n_context = context_size(model, options.n_context);
  if (!n_context) return std::move(n_context).error();
  ModelInfo info;
  const std::filesystem::path path(options.path);
  info.id = !options.id.empty() ? options.id : path.stem().string();
  info.path = options.path;
  info.fingerprint = *std::move(fingerprint);
  info.architecture = metadata(model, "general.architecture");
  std::string description(128, '\0');
  const std::int32_t n = llama_model_desc(&model, description.data(), description.size());
  description.resize(std::min(static_cast<std::size_t>(std::max(n, 0)), description.size() - 1));
  info.description = std::move(description);
  info.n_parameters = llama_model_n_params(&model);
  info.file_bytes = std::filesystem::file_size(path);
  info.n_context = *n_context;
  info.n_threads = options.n_threads != 0 ? options.n_threads : usable_cores();
  return info;
}

}  // namespace

Result<std::unique_ptr<Backend>> open_llama_backend(const LlamaOptions& options) {
  start_engine();
  if (Result<Done> ok = check_options(options); !ok) return std::move(ok).error();
  if (Result<Done> ok = check_model_file(options.path); !ok) return std::move(ok).error();
  Result<ModelHandle> model = load_weights(options.path);
  if (!model) return std::move(model).error();
  const std::string fault = fault_of_model(**model, metadata(**model, "general.architecture"));
  if (!fault.empty()) return load_error(options.path, fault);

  Result<ModelInfo> info = describe(**model, options);
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
