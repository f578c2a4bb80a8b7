// Facts about opening, converting and identifying model files.
#include <gtest/gtest.h>
#include <sched.h>

#include <filesystem>
#include <fstream>

#include "llama/fingerprint.h"
#include "llama/handles.h"
#include "logit/llama_backend.h"
#include "support/tiny_model.h"

namespace logit {
namespace {

using testing::scratch_folder;

std::string scratch(const std::string& name) { return scratch_folder() + "/" + name; }

std::string write(const std::string& name, std::string_view content) {
  std::ofstream(scratch(name), std::ios::binary) << content;
  return scratch(name);
}

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const std::string& tiny() {
  static const std::string path = [] {
    std::string at = scratch("load.gguf");
    EXPECT_TRUE(testing::write_tiny_model_as(at, "f16"));
    return at;
  }();
  return path;
}

// A copy of the tiny model with its metadata changed, and no weights unless asked for.
std::string changed(const std::string& name, void (*change)(gguf_context*)) {
  const GgufHandle file(gguf_init_from_file(tiny().c_str(), {true, nullptr}));
  const GgufHandle copy(gguf_init_empty());
  gguf_set_kv(copy.get(), file.get());
  change(copy.get());
  gguf_write_to_file(copy.get(), scratch(name).c_str(), true);
  return scratch(name);
}

struct BadFile {
  std::string path;
  const char* reason;
};

TEST(OpenLlamaBackend, EveryBadFileIsRefusedWithItsReasonAndPath) {
  const std::string whole = read(tiny());
  std::filesystem::create_directories(scratch("folder.gguf"));
  const BadFile files[] = {
      {scratch("missing.gguf"), "does not exist"},
      {scratch("folder.gguf"), "is a folder"},
      {write("empty.gguf", ""), "is empty"},
      {write("text.gguf", "hello"), "is not a GGUF"},
      {write("page.gguf", "\n<!DOCTYPE html><html>"), "is a web page"},
      {write("lfs.gguf", "version https://git-lfs.github.com/spec/v1\n"), "is a Git LFS pointer"},
      {write("head.gguf", "GGUF"), "is damaged or cut off"},
      {write("cut-early.gguf", whole.substr(0, 4000)), "is damaged or cut off"},
      {write("cut-late.gguf", whole.substr(0, whole.size() - 4096)), "cut off"},
      {changed("vocab.gguf", [](gguf_context*) {}), "has a vocabulary only"},
      {changed("clip.gguf",
               [](gguf_context* f) { gguf_set_val_str(f, "general.architecture", "clip"); }),
       "is a picture projector"},
      {changed("lora.gguf",
               [](gguf_context* f) { gguf_set_val_str(f, "general.type", "adapter"); }),
       "is an adapter"},
      {changed("part.gguf", [](gguf_context* f) { gguf_set_val_u16(f, "split.count", 3); }),
       "is one part of several"},
  };
  for (const BadFile& file : files) {
    LlamaOptions options;
    options.path = file.path;
    const Result<std::unique_ptr<Backend>> opened = open_llama_backend(options);
    ASSERT_FALSE(opened) << file.path;
    EXPECT_EQ(opened.error().code, ErrorCode::kModelLoad);
    EXPECT_NE(opened.error().message.find(file.reason), std::string::npos)
        << opened.error().message;
    EXPECT_NE(opened.error().message.find(file.path), std::string::npos);
    EXPECT_EQ(opened.error().message.find('\n'), std::string::npos);
  }
}

TEST(OpenLlamaBackend, OptionsOutOfRangeAreConfigErrors) {
  LlamaOptions options;
  options.path = tiny();
  options.n_context = 5;
  EXPECT_EQ(open_llama_backend(options).error().code, ErrorCode::kConfig);
  options.n_context = 4097;  // the tiny model was "trained" on 4096
  EXPECT_EQ(open_llama_backend(options).error().code, ErrorCode::kConfig);
  options.n_context = 0;
  options.n_threads = 100000;
  EXPECT_EQ(open_llama_backend(options).error().code, ErrorCode::kConfig);
}

TEST(OpenLlamaBackend, DescribesTheModelAndPrintsNothing) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  LlamaOptions options;
  options.path = tiny();
  const Result<std::unique_ptr<Backend>> opened = open_llama_backend(options);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  ASSERT_TRUE(opened);
  const ModelInfo& info = (*opened)->info();
  EXPECT_EQ(info.id, "load");
  EXPECT_EQ(info.architecture, "llama");
  EXPECT_EQ(info.n_context, 4096U);
  EXPECT_EQ(info.n_vocab, 256U + 676U + 4U);
  EXPECT_EQ(info.n_threads, usable_cores());
  EXPECT_EQ(info.labels.size(), 255U);
  EXPECT_GT(info.n_parameters, 1000000U);
  EXPECT_EQ(info.file_bytes, std::filesystem::file_size(tiny()));
  EXPECT_EQ(info.notes.size(), 0U);
  EXPECT_EQ((*opened)->frames().size(), 2U);
}

TEST(Fingerprint, DependsOnTheContentOnly) {
  const std::string a = write("a.bin", "content");
  const std::string b = write("b.bin", "content");
  const std::string c = write("c.bin", "contenT");
  EXPECT_EQ(*fingerprint_of_file(a), *fingerprint_of_file(b));
  EXPECT_NE(*fingerprint_of_file(a), *fingerprint_of_file(c));
  EXPECT_EQ(fingerprint_of_file(a)->size(), 37U);
  EXPECT_EQ(fingerprint_of_file(scratch("none")).error().code, ErrorCode::kModelLoad);
}

TEST(ConvertModel, EveryTypeOpensAgain) {
  for (const char* type : {"f16", "q8_0", "q4_0", "q4_1", "q4_k_m", "q5_k_m", "q6_k"}) {
    const std::string out = scratch(std::string("converted-") + type + ".gguf");
    const Result<Done> done = convert_model(tiny(), out, type, 1);
    ASSERT_TRUE(done) << type << ": " << done.error().message;
    LlamaOptions options;
    options.path = out;
    EXPECT_TRUE(open_llama_backend(options)) << type;
  }
}

TEST(ConvertModel, FailuresLeaveTheTargetAsItWas) {
  const std::string out = write("target.gguf", "as it was");
  EXPECT_EQ(convert_model(tiny(), out, "f17", 1).error().code, ErrorCode::kConfig);
  EXPECT_EQ(convert_model(scratch("missing"), out, "f16", 1).error().code, ErrorCode::kModelLoad);
  const std::string cut = write("cut.gguf", read(tiny()).substr(0, 60000));
  EXPECT_EQ(convert_model(cut, out, "f16", 1).error().code, ErrorCode::kModelLoad);
  EXPECT_EQ(convert_model(tiny(), scratch("no/folder.gguf"), "f16", 1).error().code,
            ErrorCode::kFile);
  EXPECT_EQ(read(out), "as it was");
  for (const auto& entry : std::filesystem::directory_iterator(scratch_folder())) {
    EXPECT_EQ(entry.path().string().find(".partial-"), std::string::npos) << entry.path();
  }
}

TEST(UsableCores, IsAtLeastOneAndWithinTheAffinity) {
  EXPECT_GE(usable_cores(), 1U);
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  EXPECT_LE(usable_cores(), static_cast<std::size_t>(CPU_COUNT(&before)));
  cpu_set_t one;
  CPU_ZERO(&one);
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &before)) continue;
    CPU_SET(cpu, &one);
    break;
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(usable_cores(), 1U);
  sched_setaffinity(0, sizeof(before), &before);
}

}  // namespace
}  // namespace logit
