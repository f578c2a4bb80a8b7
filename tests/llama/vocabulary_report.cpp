// Prints a row of docs/models.md, section "Vocabularies", for each GGUF named: scripts/models-table
// runs it. Ends with 1 when a check of a vocabulary fails, 2 when a file cannot be read.
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <string>

#include "support/vocabulary_checks.h"

namespace logit {
namespace {

constexpr std::uint64_t kSeed = 20260930;

const char* type_name(const llama_vocab* vocabulary) {
  switch (llama_vocab_type(vocabulary)) {
    case LLAMA_VOCAB_TYPE_SPM:
      return "SentencePiece";
    case LLAMA_VOCAB_TYPE_BPE:
      return "BPE";
    case LLAMA_VOCAB_TYPE_WPM:
      return "WordPiece";
    case LLAMA_VOCAB_TYPE_UGM:
      return "unigram";
    default:
      return "other";
  }
}

std::string type_text(const Vocabulary& vocabulary) {
  std::string text = type_name(vocabulary.handle);
  if (vocabulary.space_guard) text += ", space prefix";
  return text;
}

// Line breaks and bars would end the table's cell.
std::string in_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '\n') {
      cell += "\\n";
    } else if (c == '|') {
      cell += "\\|";
    } else {
      cell += c;
    }
  }
  return cell;
}

std::string frame_text(const testing::OpenVocabulary& open, std::span<const Frame> frames) {
  if (frames.size() < 2) return open.chat_template.empty() ? "plain (no template)" : "plain";
  return "`" + in_cell(testing::decode(open.vocabulary, frames[1].open)) + "` ... `" +
         in_cell(testing::decode(open.vocabulary, frames[1].close)) + "`";
}

std::string injection_text(const testing::InjectionReport& report) {
  if (report.passed()) return std::to_string(report.n_texts) + ", 0 failures";
  return std::to_string(report.n_texts) + ": " + std::to_string(report.n_forged) + " forged, " +
         std::to_string(report.n_misspelled) + " misspelled, " + std::to_string(report.n_refused) +
         " refused";
}

struct HardReport {
  std::size_t n_answered = 0;
  std::size_t n_refused = 0;
  std::size_t n_wrong = 0;  // answered with tokens that do not spell the text, or good text refused
};

HardReport check_hard_texts(const Vocabulary& vocabulary) {
  HardReport report;
  for (const testing::HardText& hard : testing::hard_texts()) {
    const Result<Tokens> tokens = testing::encode_on_small_stack(vocabulary, hard.text);
    const bool spelled = tokens && testing::decode(vocabulary, *tokens) ==
                                       testing::as_spelled(vocabulary, hard.text);
    report.n_answered += tokens ? 1U : 0U;
    report.n_refused += tokens ? 0U : 1U;
    if (tokens ? !spelled : hard.is_utf8) {
      ++report.n_wrong;
      std::fprintf(stderr, "  hard text '%s': %s\n", hard.name.c_str(),
                   tokens ? "does not come back" : tokens.error().message.c_str());
    }
  }
  return report;
}

std::string hard_text(const HardReport& report) {
  std::string text = std::to_string(report.n_answered) + " answered, " +
                     std::to_string(report.n_refused) + " refused";
  if (report.n_wrong != 0) text += ", " + std::to_string(report.n_wrong) + " wrong";
  return text;
}

// False when a check failed.
Result<bool> print_row(const std::string& path, std::size_t n_texts) {
  Result<testing::OpenVocabulary> open = testing::open_vocabulary(path);
  if (!open) return std::move(open).error();
  const std::string name = std::filesystem::path(path).stem().string();
  if (!encode_text(open->vocabulary, "Text: \"A\"\n\nB")) {
    std::printf("| %s | %s | %zu | refused at load: its tokens do not spell the text | | | | | |\n",
                name.c_str(), type_text(open->vocabulary).c_str(), open->vocabulary.n_tokens);
    return true;
  }
  const testing::VocabularyBackend backend(*open);
  const Result<Done> encoding = verify_encoding(backend);
  const testing::InjectionReport injection = testing::check_injection(*open, n_texts, kSeed);
  const HardReport hard = check_hard_texts(open->vocabulary);
  std::string notes;
  for (const std::string& note : backend.info().notes) notes += (notes.empty() ? "" : "; ") + note;
  std::printf("| %s | %s | %zu | %zu | %s | %s | %s | %s | %s |\n", name.c_str(),
              type_text(open->vocabulary).c_str(), open->vocabulary.n_tokens,
              backend.info().labels.size(), frame_text(*open, backend.frames()).c_str(),
              encoding ? "yes" : in_cell(encoding.error().message).c_str(),
              injection_text(injection).c_str(), hard_text(hard).c_str(), in_cell(notes).c_str());
  std::fflush(stdout);
  if (!injection.passed()) {
    std::fprintf(stderr, "  injection: %s\n", injection.first_failure.c_str());
  }
  return encoding && injection.passed() && hard.n_wrong == 0;
}

int report(std::size_t n_texts, std::span<char*> paths) {
  std::puts(
      "| vocabulary | type | tokens | labels | chat frame | borders | injection test | hard text | "
      "notes |");
  std::puts("|---|---|---|---|---|---|---|---|---|");
  int code = 0;
  for (const char* path : paths) {
    const Result<bool> passed = print_row(path, n_texts);
    if (!passed) {
      std::fprintf(stderr, "%s: %s\n", path, passed.error().message.c_str());
      return 2;
    }
    if (!*passed) code = 1;
  }
  return code;
}

}  // namespace
}  // namespace logit

int main(int argc, char** argv) {
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  std::size_t n_texts = 0;
  if (argc >= 3) {
    const std::string_view count = arguments[1];
    std::from_chars(count.data(), count.data() + count.size(), n_texts);
  }
  if (n_texts == 0) {
    std::fputs("usage: logit-vocabulary-report TEXTS MODEL.gguf...\n", stderr);
    return 2;
  }
  return logit::report(n_texts, arguments.subspan(2));
}
