// Facts about opening, converting and identifying model files.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "llama/fingerprint.h"
#include "llama/handles.h"
#include "llama/machine.h"
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

void set_split(gguf_context* file, std::uint16_t no) {
  gguf_set_val_u16(file, "split.no", no);
  gguf_set_val_u16(file, "split.count", 3);
}
void set_second_of_three(gguf_context* file) { set_split(file, 1); }
void set_first_of_three(gguf_context* file) { set_split(file, 0); }

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
      {changed("twice.gguf",
               [](gguf_context* f) {
                 const char* tokens[] = {"a", "b", "a"};
                 gguf_set_arr_str(f, "tokenizer.ggml.tokens", tokens, 3);
               }),
       "has two tokens spelled 'a'"},
      {changed("mmproj.gguf",
               [](gguf_context* f) { gguf_set_val_str(f, "general.type", "mmproj"); }),
       "is a picture projector"},
      {write("newer.gguf", std::string("GGUF\4\0\0\0", 8) + whole.substr(8)), "GGUF version 4"},
      {write("turned.gguf", std::string("GGUF\0\0\0\3", 8) + whole.substr(8)), "byte order"},
      {write("model-00002-of-00003.gguf", read(changed("part.gguf", set_second_of_three))),
       "model-00001-of-00003.gguf'"},
      {scratch("part.gguf"), "is part 2 of 3; give the first part"},
      {changed("first.gguf", set_first_of_three), "must end in"},
      {write("lone-00001-of-00003.gguf", read(scratch("first.gguf"))),
       "lone-00002-of-00003.gguf' does not exist"},
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

// Writes the tiny model as two files, the tensors shared out between them.
void write_parts(const std::string& stem) {
  ggml_context* tensors = nullptr;
  const GgufHandle whole(gguf_init_from_file(tiny().c_str(), {false, &tensors}));
  const std::int64_t n = gguf_get_n_tensors(whole.get());
  for (std::uint16_t no = 0; no < 2; ++no) {
    const GgufHandle part(gguf_init_empty());
    if (no == 0) gguf_set_kv(part.get(), whole.get());
    gguf_set_val_u16(part.get(), "split.no", no);
    gguf_set_val_u16(part.get(), "split.count", 2);
    gguf_set_val_i32(part.get(), "split.tensors.count", static_cast<std::int32_t>(n));
    for (std::int64_t i = no * (n / 2); i < (no == 0 ? n / 2 : n); ++i) {
      gguf_add_tensor(part.get(), ggml_get_tensor(tensors, gguf_get_tensor_name(whole.get(), i)));
    }
    const std::string path = stem + (no == 0 ? "-00001" : "-00002") + "-of-00002.gguf";
    ASSERT_TRUE(gguf_write_to_file(part.get(), path.c_str(), false));
  }
  ggml_free(tensors);
}

TEST(OpenLlamaBackend, TheFirstPartOpensTheWholeModel) {
  write_parts(scratch("parts"));
  LlamaOptions options;
  options.path = scratch("parts-00001-of-00002.gguf");
  const Result<std::unique_ptr<Backend>> parts = open_llama_backend(options);
  ASSERT_TRUE(parts) << parts.error().message;
  options.path = tiny();
  const Result<std::unique_ptr<Backend>> whole = open_llama_backend(options);
  EXPECT_EQ((*parts)->info().n_parameters, (*whole)->info().n_parameters);
  EXPECT_EQ((*parts)->info().file_bytes,
            std::filesystem::file_size(scratch("parts-00001-of-00002.gguf")) +
                std::filesystem::file_size(scratch("parts-00002-of-00002.gguf")));
  EXPECT_NE((*parts)->info().fingerprint, (*whole)->info().fingerprint);
  options.path = scratch("parts-00002-of-00002.gguf");
  EXPECT_NE(open_llama_backend(options).error().message.find("parts-00001-of-00002.gguf"),
            std::string::npos);
}

TEST(OpenLlamaBackend, ModelsThatDoNotContinueTextAreRefused) {
  struct Refused {
    testing::TinyModel model;
    const char* reason;
  };
  const Refused all[] = {{{.shape = testing::TinyShape::kDream}, "is a diffusion model"},
                         {{.is_causal = false}, "has an encoder (llama)"}};
  for (const Refused& refused : all) {
    LlamaOptions options;
    options.path = scratch("refused.gguf");
    ASSERT_TRUE(testing::write_tiny_model(options.path, refused.model));
    const Result<std::unique_ptr<Backend>> opened = open_llama_backend(options);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::kModelLoad);
    EXPECT_NE(opened.error().message.find(refused.reason), std::string::npos)
        << opened.error().message;
  }
}

TEST(OpenLlamaBackend, MetadataOfTheWrongTypeIsNoCrash) {
  ggml_context* tensors = ggml_init({std::size_t{1} << 16U, nullptr, false});
  ggml_tensor* tensor = ggml_new_tensor_1d(tensors, GGML_TYPE_F32, 4);
  ggml_set_name(tensor, "output_norm.weight");
  const GgufHandle file(gguf_init_empty());
  for (const char* key : {"general.architecture", "general.type", "tokenizer.ggml.tokens"}) {
    gguf_set_val_u32(file.get(), key, 7);
  }
  gguf_set_val_str(file.get(), "split.count", "three");
  gguf_add_tensor(file.get(), tensor);
  LlamaOptions options;
  options.path = scratch("nonsense.gguf");
  EXPECT_TRUE(gguf_write_to_file(file.get(), options.path.c_str(), false));
  ggml_free(tensors);
  const Result<std::unique_ptr<Backend>> opened = open_llama_backend(options);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kModelLoad);
}

TEST(OpenLlamaBackend, MoreThanTheMemoryThereIsIsRefusedBeforeLoading) {
  const std::string path = scratch("vast.gguf");
  ASSERT_TRUE(testing::write_tiny_model(path, {.n_context = 2000000000}));
  LlamaOptions options;
  options.path = path;
  options.n_context = 1900000000;
  const Result<std::unique_ptr<Backend>> opened = open_llama_backend(options);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kModelLoad);
  EXPECT_NE(opened.error().message.find("MiB of memory with a context of 1900000000 tokens"),
            std::string::npos)
      << opened.error().message;
  options.n_context = 0;
  EXPECT_TRUE(open_llama_backend(options));
}

// Case C110.
TEST(OpenLlamaBackend, AnyNameOfAFolderWillDo) {
  const std::string folder =
      scratch("\320\234\320\276\320\264\320\265\320\273\320\270/\343\203\206 \303\251 'q\"/") +
      std::string(200, 'd');
  std::filesystem::create_directories(folder);
  LlamaOptions options;
  options.path = folder + "/\320\274 1.gguf";
  std::filesystem::copy_file(tiny(), options.path);
  const Result<std::unique_ptr<Backend>> opened = open_llama_backend(options);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ((*opened)->info().id, "\320\274 1");
}

TEST(OpenLlamaBackend, SaysHowAModelIsRun) {
  LlamaOptions options;
  options.path = scratch("recurrent.gguf");
  ASSERT_TRUE(testing::write_tiny_model(options.path, {.shape = testing::TinyShape::kMamba}));
  const Result<std::unique_ptr<Backend>> opened = open_llama_backend(options);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ((*opened)->info().kind, "recurrent");
  ASSERT_EQ((*opened)->info().notes.size(), 1U);
  EXPECT_NE((*opened)->info().notes[0].find("6 at a time"), std::string::npos);
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
  EXPECT_EQ(*fingerprint_of_files({{a}}), *fingerprint_of_files({{b}}));
  EXPECT_NE(*fingerprint_of_files({{a}}), *fingerprint_of_files({{c}}));
  EXPECT_EQ(fingerprint_of_files({{a}})->size(), 37U);
  EXPECT_EQ(fingerprint_of_files({{scratch("none")}}).error().code, ErrorCode::kModelLoad);
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

TEST(Processor, CanRunWhatLlamaCppWasCompiledFor) { EXPECT_TRUE(check_processor()); }

TEST(Processor, MissingInstructionsAreNamed) {
  const Instructions sets[] = {
      {"avx", true, true}, {"avx2", true, false}, {"fma", false, false}, {"avx512f", true, false}};
  EXPECT_EQ(lacking(sets), "avx2, avx512f");
  EXPECT_EQ(lacking(std::span(sets).first(1)), "");
}

}  // namespace
}  // namespace logit
