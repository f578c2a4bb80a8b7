// Facts about frames: the template's own markup around a user's text, BOS once, and a note where
// there is none or something is odd.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/tiny_model.h"
#include "support/tiny_vocabulary.h"
#include "support/vocabulary_checks.h"

namespace logit {
namespace {

using testing::AddBos;
using testing::OpenVocabulary;
using testing::SpacePrefix;
using testing::TinyVocabulary;
using testing::TokenizerKind;

struct Framed {
  OpenVocabulary open;
  std::vector<Frame> frames;
  std::vector<std::string> notes;

  std::string chat_open() const { return testing::decode(open.vocabulary, frames.at(1).open); }
  std::string chat_close() const { return testing::decode(open.vocabulary, frames.at(1).close); }
  std::ptrdiff_t n_bos(std::size_t frame) const {
    return std::ranges::count(frames.at(frame).open, llama_vocab_bos(open.vocabulary.handle));
  }
};

Framed frame(const TinyVocabulary& vocabulary) {
  static int n_made = 0;
  const std::string path =
      testing::scratch_folder() + "/frame-" + std::to_string(n_made++) + ".gguf";
  EXPECT_TRUE(write_tiny_vocabulary(path, vocabulary));
  Result<OpenVocabulary> open = testing::open_vocabulary(path);
  EXPECT_TRUE(open) << open.error().message;
  Framed framed;
  framed.open = *std::move(open);
  framed.frames = find_frames(framed.open.vocabulary, framed.open.chat_template, framed.notes);
  return framed;
}

TinyVocabulary gemma() {
  TinyVocabulary vocabulary;
  vocabulary.kind = TokenizerKind::kSentencePiece;
  vocabulary.add_bos = AddBos::kYes;
  vocabulary.control = {"<start_of_turn>", "<end_of_turn>"};
  vocabulary.chat_template =
      "{{ bos_token }}{{ raise_exception('no system role') }}<start_of_turn>";
  return vocabulary;
}

TinyVocabulary chat_ml() {
  TinyVocabulary vocabulary;
  vocabulary.control = {"<|im_start|>", "<|im_end|>"};
  vocabulary.chat_template = "<|im_start|>{{ role }}\n{{ content }}<|im_end|>\n";
  return vocabulary;
}

TEST(FindFrames, MarkersAreSingleTokens) {
  const Framed framed = frame(chat_ml());
  ASSERT_EQ(framed.frames.size(), 2U);
  EXPECT_EQ(framed.frames[0].kind, FrameKind::kPlain);
  EXPECT_TRUE(framed.frames[0].open.empty());
  EXPECT_EQ(framed.chat_open(), "<|im_start|>user\n");
  EXPECT_EQ(framed.frames[1].open.size(), 6U);  // the marker, four letters and a newline
  EXPECT_EQ(framed.chat_close(), "<|im_end|>\n<|im_start|>assistant\n");
  EXPECT_TRUE(framed.notes.empty()) << framed.notes[0];
}

// Case C46: a template that refuses a system role.
TEST(FindFrames, ATemplateWithoutASystemRoleHasAChatFrame) {
  const Framed framed = frame(gemma());
  ASSERT_EQ(framed.frames.size(), 2U);
  EXPECT_EQ(framed.chat_open(), "<s><start_of_turn>user\n");
  EXPECT_EQ(framed.chat_close(), "<end_of_turn>\n<start_of_turn>model\n");
}

// Case C43.
TEST(FindFrames, BosComesOnceWhereTheModelWantsIt) {
  TinyVocabulary wanted = gemma();
  EXPECT_EQ(frame(wanted).n_bos(0), 1);
  EXPECT_EQ(frame(wanted).n_bos(1), 1);
  // The tokenizer does not add it, the template writes it.
  wanted.add_bos = AddBos::kNo;
  EXPECT_EQ(frame(wanted).n_bos(0), 0);
  EXPECT_EQ(frame(wanted).n_bos(1), 1);
  // Both write it: the engine's text of this template begins with it.
  TinyVocabulary twice = gemma();
  twice.control = {"<|role_sep|>", "<|message_sep|>"};
  twice.chat_template = "gigachat";
  EXPECT_EQ(frame(twice).chat_open(), "<s>user<|role_sep|>");
  // Qwen types have none.
  EXPECT_EQ(frame(chat_ml()).n_bos(0), 0);
  EXPECT_EQ(frame(chat_ml()).n_bos(1), 0);
}

// Case C43: the file calls an ordinary comma the beginning of text.
TEST(FindFrames, OrdinaryTextIsNoBos) {
  TinyVocabulary comma = chat_ml();
  comma.add_bos = AddBos::kYes;
  comma.bos = ",";
  const Framed framed = frame(comma);
  EXPECT_EQ(framed.n_bos(0), 0);
  EXPECT_EQ(framed.n_bos(1), 0);
  ASSERT_EQ(framed.notes.size(), 1U);
  EXPECT_EQ(framed.notes[0],
            "the file names ordinary text (',') as beginning-of-text token: none is used");
  EXPECT_TRUE(encode_text(framed.open.vocabulary, "one, two"));
}

// Case C47: the prompt is the template's text around what was said, spaces and all.
TEST(FindFrames, ATextKeepsTheSpacesThatItsTemplateTrims) {
  const Framed framed = frame(gemma());
  ASSERT_EQ(framed.notes.size(), 1U);
  EXPECT_EQ(framed.notes[0],
            "chat template trims what a user says; here it stays as it was written");
  for (const char* text : {"text \n\n ", "  spaced  ", "\n"}) {
    Tokens all = framed.frames[1].open;
    const Result<Tokens> said = encode_text(framed.open.vocabulary, text);
    ASSERT_TRUE(said);
    all.insert(all.end(), said->begin(), said->end());
    all.insert(all.end(), framed.frames[1].close.begin(), framed.frames[1].close.end());
    EXPECT_EQ(
        testing::decode(framed.open.vocabulary, all),
        "<s><start_of_turn>user\n" + std::string(text) + "<end_of_turn>\n<start_of_turn>model\n");
  }
}

// Spaces that the tokenizer would put behind special tokens are not the template's.
TEST(FindFrames, ASpacePrefixDoesNotChangeTheMarkup) {
  TinyVocabulary zephyr;
  zephyr.kind = TokenizerKind::kSentencePiece;
  zephyr.space_prefix = SpacePrefix::kAdded;
  zephyr.add_bos = AddBos::kYes;
  zephyr.control = {"<|user|>", "<|assistant|>", "<|endoftext|>"};
  zephyr.chat_template = "<|user|> <|endoftext|>";
  const Framed framed = frame(zephyr);
  ASSERT_EQ(framed.frames.size(), 2U);
  EXPECT_EQ(framed.chat_open(), "<s><|user|>\n");
  EXPECT_EQ(framed.frames[1].open.size(), 3U);
  EXPECT_EQ(framed.chat_close(), "<|endoftext|>\n<|assistant|>\n");
  EXPECT_EQ(framed.frames[1].close.size(), 4U);
}

TEST(FindFrames, AMarkerThatIsNoTokenIsRefused) {
  TinyVocabulary vocabulary = chat_ml();
  vocabulary.control = {"<|im_start|>"};
  const Framed framed = frame(vocabulary);
  EXPECT_EQ(framed.frames.size(), 1U);
  ASSERT_EQ(framed.notes.size(), 1U);
  EXPECT_EQ(framed.notes[0],
            "chat template uses '<|im_end|>', which is no token of this vocabulary: only the plain "
            "frame is available");
}

TEST(FindFrames, AnUnknownTemplateGivesThePlainFrameAndANote) {
  TinyVocabulary vocabulary = chat_ml();
  vocabulary.chat_template = "{{ messages }}";
  const Framed framed = frame(vocabulary);
  EXPECT_EQ(framed.frames.size(), 1U);
  ASSERT_EQ(framed.notes.size(), 1U);
  EXPECT_EQ(framed.notes[0],
            "chat template is not one the engine knows: only the plain frame is available");
  vocabulary.chat_template.clear();
  EXPECT_EQ(frame(vocabulary).frames.size(), 1U);
  EXPECT_TRUE(frame(vocabulary).notes.empty());
}

TEST(FindFrames, TurnsMarkedWithOrdinaryTextAreNoted) {
  TinyVocabulary llama_2;
  llama_2.kind = TokenizerKind::kSentencePiece;
  llama_2.space_prefix = SpacePrefix::kAdded;
  llama_2.chat_template = "[INST] <<SYS>>";
  const Framed framed = frame(llama_2);
  ASSERT_EQ(framed.frames.size(), 2U);
  EXPECT_EQ(framed.chat_open(), "[INST] ");
  EXPECT_EQ(framed.chat_close(), " [/INST]");
  ASSERT_EQ(framed.notes.size(), 2U);
  EXPECT_EQ(
      framed.notes[0],
      "chat template marks turns with ordinary text: a text that spells the marks can imitate "
      "them");
  // "[INST] " and "Text" have a space between them that belongs to the word.
  EXPECT_EQ(framed.notes[1],
            "chat template's literals end where the tokenizer would join them with text");
}

// Case C52: byte for byte, beyond 4 KiB and ASCII.
TEST(OpenVocabulary, TheTemplateIsTheFilesOwn) {
  TinyVocabulary vocabulary = chat_ml();
  vocabulary.chat_template += "{# ";
  for (int i = 0; i < 2000; ++i) vocabulary.chat_template += "\xE2\x82\xAC\xC3\xA9";
  vocabulary.chat_template += " #}<|im_end|>";
  const Framed framed = frame(vocabulary);
  EXPECT_EQ(framed.open.chat_template, vocabulary.chat_template);
  EXPECT_EQ(framed.frames.size(), 2U);
}

}  // namespace
}  // namespace logit
