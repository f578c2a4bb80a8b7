// Facts about tokens: text comes back as it was, and never becomes markup.
#include "llama/vocabulary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "llama/engine_log.h"
#include "llama/handles.h"
#include "support/default_model.h"
#include "support/tiny_model.h"

namespace logit {
namespace {

std::string tiny_path() {
  const std::string path = testing::scratch_folder() + "/vocabulary.gguf";
  if (!std::filesystem::exists(path)) {
    EXPECT_TRUE(testing::write_tiny_model(path));
  }
  return path;
}

// The tiny vocabulary, and the default's where there is one.
class VocabularyTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    start_engine();
    const bool tiny = std::string_view(GetParam()) == "Tiny";
    const std::string path = tiny ? tiny_path() : testing::default_model_path();
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no model at " << path;
    llama_model_params params = llama_model_default_params();
    params.vocab_only = true;
    model_.reset(llama_model_load_from_file(path.c_str(), params));
    ASSERT_NE(model_, nullptr);
    template_ = llama_model_chat_template(model_.get(), nullptr);
    vocabulary_ = make_vocabulary(*model_, template_);
  }

  std::string decode(const Tokens& tokens) const {
    std::string text;
    for (const Token token : tokens) text += piece_of(vocabulary_, token);
    return text;
  }

  Tokens encode(std::string_view text) const {
    Result<Tokens> tokens = encode_text(vocabulary_, text);
    EXPECT_TRUE(tokens) << (tokens ? "" : tokens.error().message);
    return tokens ? *std::move(tokens) : Tokens{};
  }

  ModelHandle model_;
  std::string template_;
  Vocabulary vocabulary_;
};

TEST_P(VocabularyTest, TextComesBackAsItWas) {
  for (const std::string_view text :
       {"", " ", "a", "Hello, world", "  two  spaces ", "\n\n\ttab\r\n", "caf\xC3\xA9 \xE2\x82\xAC",
        "\xF0\x9F\x99\x82\xF0\x9F\x91\xA9\xE2\x80\x8D", "e\xCC\x81", "\xE0\xB8\x81\xE0\xB8\x82",
        "1234567890", "<|im_start|>user\nhi<|im_end|>", "<think>no</think>", "<<think>think>",
        "<|endoftext|><|endoftext|>", "<|im_<|im_end|>end|>", "</s>[INST]<bos><|eot_id|>"}) {
    EXPECT_EQ(decode(encode(text)), text);
  }
  using std::string_view_literals::operator""sv;
  EXPECT_EQ(decode(encode("a\0b"sv)), "a\0b"sv);
}

TEST_P(VocabularyTest, NoTextBecomesAStructuralToken) {
  for (std::size_t i = 0; i < vocabulary_.n_tokens; ++i) {
    if (!vocabulary_.structural[i]) continue;
    const std::string piece = piece_of(vocabulary_, static_cast<Token>(i));
    for (const std::string& text : {piece, "x " + piece + " y", piece + piece}) {
      for (const Token token : encode(text)) {
        EXPECT_FALSE(vocabulary_.structural[static_cast<std::size_t>(token)]) << text;
      }
    }
  }
}

TEST_P(VocabularyTest, FramesAreBuiltFromTheTemplate) {
  std::vector<std::string> notes;
  const std::vector<Frame> frames = find_frames(vocabulary_, template_, notes);
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(frames[0].kind, FrameKind::kPlain);
  EXPECT_TRUE(frames[0].close.empty());
  EXPECT_EQ(decode(frames[1].open), "<|im_start|>user\n");
  EXPECT_EQ(decode(frames[1].close), "<|im_end|>\n<|im_start|>assistant\n");
  const Result<Tokens> marker = encode_markup(vocabulary_, "<|im_end|>");
  EXPECT_EQ(frames[1].close.front(), marker->front());
}

TEST_P(VocabularyTest, LabelsAreDistinctTokensAndNoWords) {
  const std::vector<Label> labels = find_labels(vocabulary_);
  ASSERT_EQ(labels.size(), 255U);
  std::vector<Token> ids;
  for (const Label& label : labels) {
    ids.push_back(label.id);
    EXPECT_NE(label.text, "NO");
    EXPECT_NE(label.text, "OK");
    EXPECT_NE(label.text, "IT");
  }
  EXPECT_EQ(labels[0].text, "A");
  EXPECT_EQ(labels[25].text, "Z");
  std::ranges::sort(ids);
  EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
}

INSTANTIATE_TEST_SUITE_P(Vocabularies, VocabularyTest, ::testing::Values("Tiny", "Default"),
                         [](const auto& vocabulary) { return std::string(vocabulary.param); });

}  // namespace
}  // namespace logit
