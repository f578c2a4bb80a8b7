// Checks one vocabulary. Entries: those of vocabulary_checks.h. Tests:
// tests/llama/injection_test.cpp.
#include "support/vocabulary_checks.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "llama/engine_log.h"

namespace logit::testing {
namespace {

std::string repeated(std::string_view text, std::size_t n) {
  std::string all;
  all.reserve(text.size() * n);
  for (std::size_t i = 0; i < n; ++i) all += text;
  return all;
}

// Markers of many families; a vocabulary adds its own.
constexpr std::array<std::string_view, 34> kMarkers = {"<|im_start|>",
                                                       "<|im_end|>",
                                                       "<s>",
                                                       "</s>",
                                                       "<bos>",
                                                       "<eos>",
                                                       "<unk>",
                                                       "[INST]",
                                                       "[/INST]",
                                                       "<<SYS>>",
                                                       "<</SYS>>",
                                                       "<start_of_turn>",
                                                       "<end_of_turn>",
                                                       "<|eot_id|>",
                                                       "<|start_header_id|>",
                                                       "<|user|>",
                                                       "<|assistant|>",
                                                       "<|system|>",
                                                       "<|end|>",
                                                       "<|endoftext|>",
                                                       "<think>",
                                                       "</think>",
                                                       "<|channel|>",
                                                       "<|message|>",
                                                       "<|return|>",
                                                       "<tool_call>",
                                                       "<0x0A>",
                                                       "<|turn>",
                                                       "<turn|>",
                                                       "[gMASK]",
                                                       "[PAD]",
                                                       "[CLS]",
                                                       "[SEP]",
                                                       "<\xEF\xBD\x9C"
                                                       "Assistant\xEF\xBD\x9C>"};

constexpr std::array<std::string_view, 27> kPieces = {" ",
                                                      "  ",
                                                      "\n",
                                                      "\n\n",
                                                      "\t",
                                                      "<",
                                                      ">",
                                                      "|",
                                                      "[",
                                                      "]",
                                                      "/",
                                                      "</",
                                                      "<|",
                                                      "|>",
                                                      "a",
                                                      "Hi",
                                                      "user\n",
                                                      "assistant\n",
                                                      "im",
                                                      "end",
                                                      "123",
                                                      "\xC3\xA9",
                                                      "\xE2\x96\x81",
                                                      "\xE4\xBD\xA0",
                                                      "\xF0\x9F\x99\x82",
                                                      "e\xCC\x81",
                                                      "Answer: (B"};

std::vector<std::string> own_markers(const OpenVocabulary& open) {
  std::vector<std::string> markers;
  for (std::size_t i = 0; i < open.vocabulary.n_tokens; ++i) {
    const auto token = static_cast<Token>(i);
    const auto attributes =
        static_cast<unsigned>(llama_vocab_get_attr(open.vocabulary.handle, token));
    constexpr unsigned kMatched =
        LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN | LLAMA_TOKEN_ATTR_USER_DEFINED;
    if ((attributes & kMatched) != 0 || llama_vocab_is_eog(open.vocabulary.handle, token)) {
      markers.push_back(piece_of(open.vocabulary, token));
    }
  }
  return markers;
}

// Makes one text after another.
class TextMaker {
 public:
  TextMaker(std::vector<std::string> own, std::uint64_t seed)
      : own_(std::move(own)), random_(seed) {}

  std::string next() {
    std::string text;
    const std::size_t n = 1 + below(8);
    for (std::size_t i = 0; i < n; ++i) text += fragment();
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  std::string marker() {
    if (!own_.empty() && below(2) == 0) return own_[below(own_.size())];
    return std::string(kMarkers[below(kMarkers.size())]);
  }

  // A place between two characters.
  static std::size_t character_border(const std::string& text, std::size_t at) {
    while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) {
      --at;
    }
    return at;
  }

  std::string fragment() {
    std::string whole = marker();
    const std::size_t middle = character_border(whole, below(whole.size() + 1));
    switch (below(8)) {
      case 0:
        return whole.substr(0, middle);
      case 1:
        return whole.substr(middle);
      case 2:
        return whole.insert(middle, marker());
      case 3:
        return whole + whole;
      case 4:
      case 5:
        return whole;
      default:
        return std::string(kPieces[below(kPieces.size())]);
    }
  }

  std::vector<std::string> own_;
  std::mt19937_64 random_;
};

std::string base64(std::size_t n) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::mt19937_64 random(7);
  std::string text;
  for (std::size_t i = 0; i < n; ++i) text += kDigits[random() % kDigits.size()];
  return text;
}

struct Encoding {
  const Vocabulary* vocabulary = nullptr;
  const std::string* text = nullptr;
  std::optional<Result<Tokens>> result;
};

void* encode_on_thread(void* data) {
  auto* encoding = static_cast<Encoding*>(data);
  encoding->result = encode_text(*encoding->vocabulary, *encoding->text);
  return nullptr;
}

}  // namespace

Result<OpenVocabulary> open_vocabulary(const std::string& path) {
  start_engine();
  llama_model_params params = llama_model_default_params();
  params.vocab_only = true;
  OpenVocabulary open;
  open.model.reset(llama_model_load_from_file(path.c_str(), params));
  if (open.model == nullptr) {
    return Error{ErrorCode::kModelLoad, "cannot read the vocabulary", path};
  }
  const char* text = llama_model_chat_template(open.model.get(), nullptr);
  open.chat_template = text != nullptr ? text : "";
  open.vocabulary = make_vocabulary(*open.model, open.chat_template);
  return open;
}

std::string decode(const Vocabulary& vocabulary, const Tokens& tokens) {
  std::string text;
  for (const Token token : tokens) text += piece_of(vocabulary, token);
  return as_spelled(vocabulary, text);
}

std::string as_spelled(const Vocabulary& vocabulary, std::string_view text) {
  std::string spelled(text);
  if (!vocabulary.blocks_are_spaces) return spelled;
  for (std::size_t at = spelled.find("\xE2\x96\x81"); at != spelled.npos;
       at = spelled.find("\xE2\x96\x81", at)) {
    spelled.replace(at, 3, " ");
  }
  return spelled;
}

bool is_forbidden(const OpenVocabulary& open, Token token) {
  const llama_vocab* vocabulary = open.vocabulary.handle;
  const auto attributes = static_cast<unsigned>(llama_vocab_get_attr(vocabulary, token));
  if ((attributes & (LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN)) != 0) return true;
  if (llama_vocab_is_eog(vocabulary, token)) return true;
  if ((attributes & LLAMA_TOKEN_ATTR_USER_DEFINED) == 0) return false;
  const std::string text = llama_vocab_get_text(vocabulary, token);
  if (text.size() < 3 || text.find_first_not_of(" \t\r\n") == text.npos) return false;
  const bool in_brackets =
      (text.front() == '<' && text.back() == '>') || (text.front() == '[' && text.back() == ']');
  return in_brackets || (first_character(text) < text.size() &&
                         open.chat_template.find(text) != std::string::npos);
}

InjectionReport check_injection(const OpenVocabulary& open, std::size_t n_texts,
                                std::uint64_t seed) {
  InjectionReport report;
  TextMaker maker(own_markers(open), seed);
  for (; report.n_texts < n_texts; ++report.n_texts) {
    const std::string text = maker.next();
    const Result<Tokens> tokens = encode_text(open.vocabulary, text);
    const bool forged = tokens && std::ranges::any_of(*tokens, [&](Token token) {
                          return is_forbidden(open, token);
                        });
    const bool misspelled =
        tokens && decode(open.vocabulary, *tokens) != as_spelled(open.vocabulary, text);
    report.n_forged += forged ? 1U : 0U;
    report.n_misspelled += misspelled ? 1U : 0U;
    report.n_refused += tokens ? 0U : 1U;
    if ((forged || misspelled || !tokens) && report.first_failure.empty()) {
      report.first_failure = text;
    }
  }
  return report;
}

const std::vector<HardText>& hard_texts() {
  using std::string_literals::operator""s;
  static const std::vector<HardText> texts = {
      {"131,072 letters", repeated("Z", 131072)},
      {"9,400 letters", repeated("A", 9400)},
      {"200,000 spaces", repeated(" ", 200000)},
      {"64k newlines", repeated("\n", 65536)},
      {"50,000 digits", repeated("0", 50000)},
      {"base64", base64(120000)},
      {"Thai", repeated("\xE0\xB8\x81\xE0\xB8\xB4\xE0\xB8\x99", 20000)},
      {"emoji", repeated("\xF0\x9F\x99\x82", 30000)},
      {"joined emoji", repeated("\xF0\x9F\x91\xA9\xE2\x80\x8D", 10000)},
      {"combining marks", "e" + repeated("\xCC\x81", 50000)},
      {"signs", repeated("!?", 40000)},
      {"markers", repeated("<|im_end|></s><b>[INST]<unused7>", 3000)},
      {"paragraphs", repeated("a\n\nb  c\n\n\n", 10000)},
      {"NUL", repeated("a\0b"s, 1000)},
      {"bytes that are no UTF-8", repeated("\xFF\xC3(\xE2\x28\xF0\x9F", 1000), false},
  };
  return texts;
}

Result<Tokens> encode_on_small_stack(const Vocabulary& vocabulary, const std::string& text) {
  Encoding encoding{&vocabulary, &text, std::nullopt};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{256} << 10);
  pthread_t thread{};
  const int failed = pthread_create(&thread, &attributes, encode_on_thread, &encoding);
  pthread_attr_destroy(&attributes);
  if (failed != 0) return Error{ErrorCode::kModelRun, "no thread could be started"};
  pthread_join(thread, nullptr);
  return *std::move(encoding.result);
}

VocabularyBackend::VocabularyBackend(const OpenVocabulary& open) : vocabulary_(open.vocabulary) {
  info_.id = "vocabulary";
  info_.n_vocab = vocabulary_.n_tokens;
  info_.labels = find_labels(vocabulary_);
  frames_ = find_frames(vocabulary_, open.chat_template, info_.notes);
}

Result<Tokens> VocabularyBackend::encode(std::string_view text) const {
  return encode_text(vocabulary_, text);
}

Result<EvaluateStats> VocabularyBackend::evaluate(const TokenTree& /*tree*/,
                                                  std::span<double> /*out*/,
                                                  std::stop_token /*stop*/) {
  return Error{ErrorCode::kModelRun, "a vocabulary cannot be evaluated"};
}

}  // namespace logit::testing
