// Facts about what a model's header says, and about the memory that follows from it.
#include "llama/memory_plan.h"

#include <gtest/gtest.h>

#include "llama/engine_log.h"
#include "llama/limits.h"
#include "llama/session.h"
#include "support/tiny_model.h"

namespace logit {
namespace {

using testing::TinyShape;

std::string path_of(TinyShape shape) {
  std::string path =
      testing::scratch_folder() + "/header-" + std::to_string(static_cast<int>(shape)) + ".gguf";
  EXPECT_TRUE(testing::write_tiny_model(path, {.n_layers = 4, .shape = shape}));
  return path;
}

ModelHeader header_of(TinyShape shape) {
  start_engine();
  const Result<ModelHeader> header = read_model_header(path_of(shape));
  EXPECT_TRUE(header) << header.error().message;
  return header ? *header : ModelHeader{};
}

TEST(MemoryPlans, KnowWhatKindOfModelItIs) {
  EXPECT_EQ(kind_of(header_of(TinyShape::kLlama)), "dense");
  EXPECT_EQ(kind_of(header_of(TinyShape::kGemma3)), "sliding window of 32 tokens");
  EXPECT_EQ(kind_of(header_of(TinyShape::kQwen3Moe)), "mixture of 4 experts (2 used)");
  EXPECT_EQ(kind_of(header_of(TinyShape::kQwen2Vl)), "M-RoPE");
  EXPECT_EQ(kind_of(header_of(TinyShape::kMamba)), "recurrent");
  EXPECT_EQ(kind_of(header_of(TinyShape::kLfm2)), "hybrid");
  EXPECT_EQ(kind_of(header_of(TinyShape::kQwen35)), "hybrid, M-RoPE");
}

// The engine's own count: what it needs to save one sequence, but for some bytes a cell.
TEST(MemoryPlans, CountCellsAndStatesAsTheEngineDoes) {
  for (const TinyShape shape : {TinyShape::kLlama, TinyShape::kGemma3, TinyShape::kQwen3Moe,
                                TinyShape::kMamba, TinyShape::kLfm2, TinyShape::kQwen35}) {
    const ModelHeader header = header_of(shape);
    const ModelHandle model(
        llama_model_load_from_file(path_of(shape).c_str(), llama_model_default_params()));
    ASSERT_NE(model, nullptr);
    llama_context_params params = llama_context_default_params();
    params.n_ctx = 512;
    params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_ENABLED;
    const ContextHandle context(llama_init_from_model(model.get(), params));
    std::vector<llama_token> tokens(20, 70);
    ASSERT_EQ(llama_decode(context.get(), llama_batch_get_one(tokens.data(), 20)), 0);
    const std::uint64_t size = llama_state_seq_get_size(context.get(), 0);
    const std::uint64_t counted = 20 * header.bytes_per_cell + header.bytes_per_state;
    EXPECT_GE(size, counted) << kind_of(header);
    EXPECT_LE(size, counted + 1500) << kind_of(header);
  }
}

TEST(MemoryPlans, GrowWithTheContextByItsCells) {
  const ModelHeader header = header_of(TinyShape::kLlama);
  EXPECT_EQ(header.bytes_per_cell, 4U * 2 * 128 * 2);
  const MemoryPlan small = plan_for(header, 1024);
  const MemoryPlan large = plan_for(header, 4096);
  EXPECT_EQ(large.context - small.context, (4096U - 1024U) * header.bytes_per_cell);
  EXPECT_EQ(small.weights, large.weights);
  EXPECT_EQ(total_of(small), small.program + small.weights + small.context + small.compute);
}

TEST(MemoryPlans, OfARecurrentModelDoNotGrow) {
  const ModelHeader header = header_of(TinyShape::kMamba);
  EXPECT_EQ(header.bytes_per_cell, 0U);
  EXPECT_EQ(plan_for(header, 1024).context, plan_for(header, 4096).context);
  EXPECT_EQ(plan_for(header, 1024).context, kMaxStates * header.bytes_per_state);
}

TEST(MemoryPlans, AreMadeOfModelsOnly) {
  const Result<MemoryPlan> plan = plan_memory(testing::scratch_folder(), 512);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, ErrorCode::kModelLoad);
  EXPECT_EQ(plan_memory(path_of(TinyShape::kLlama), 512)->n_context, 512U);
}

}  // namespace
}  // namespace logit
