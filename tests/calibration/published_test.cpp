#include <gtest/gtest.h>

#include "logit/calibration.h"

namespace logit {
namespace {

TEST(PublishedLabelTemperature, IsFoundHoweverTheNameIsSpelled) {
  for (const char* name : {"Qwen3 4B Instruct 2507", "Qwen3-4B-Instruct-2507",
                           "unsloth/Qwen3-4B-Instruct-2507-GGUF", "qwen3_4b_instruct_2507"}) {
    EXPECT_EQ(published_label_temperature(name), 6.0) << name;
  }
  EXPECT_EQ(published_label_temperature("Qwen3-VL-4B-Instruct"), 1.25);
}

TEST(PublishedLabelTemperature, OtherModelsHaveNone) {
  for (const char* name :
       {"", "Qwen3 4B", "Qwen3-14B-Instruct-2507", "Qwen2.5 Coder 1.5B", "SmolLM2 135M"}) {
    EXPECT_FALSE(published_label_temperature(name)) << name;
  }
}

}  // namespace
}  // namespace logit
