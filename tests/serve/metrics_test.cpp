#include "serve/metrics.h"

#include <gtest/gtest.h>

#include "serve/support.h"

namespace logit::serve {
namespace {

TEST(Metrics, CountsByRouteAndCode) {
  Metrics metrics;
  metrics.count_request("/v1/systemone", 200, 0.02);
  metrics.count_request("/v1/systemone", 200, 0.2);
  metrics.count_request("/v1/systemone", 422, 0.0001);
  const std::string text = metrics.text({3, 2, true, 77, {{2, 300}, 4}});
  EXPECT_TRUE(has(text, "logit_requests_total{route=\"/v1/systemone\",code=\"200\"} 2\n")) << text;
  EXPECT_TRUE(has(text, "logit_requests_total{route=\"/v1/systemone\",code=\"422\"} 1\n"));
  EXPECT_TRUE(has(text, "_bucket{route=\"/v1/systemone\",le=\"0.025\"} 2\n"));
  EXPECT_TRUE(has(text, "_bucket{route=\"/v1/systemone\",le=\"+Inf\"} 3\n"));
  EXPECT_TRUE(has(text, "logit_queue_depth 3\n"));
  EXPECT_TRUE(has(text, "logit_connections 2\n"));
  EXPECT_TRUE(has(text, "logit_ready 1\n"));
  EXPECT_TRUE(has(text, "logit_body_bytes 77\n"));
  EXPECT_TRUE(has(text, "logit_prefix_cache_entries 2\n"));
  EXPECT_TRUE(has(text, "logit_prefix_cache_bytes 300\n"));
  EXPECT_TRUE(has(text, "logit_baseline_cache_entries 4\n"));
}

TEST(Metrics, AddsUpTokensAndStages) {
  Metrics metrics;
  Reply reply;
  reply.answers.resize(2);
  reply.diagnostics.evaluated_tokens = 70;
  reply.diagnostics.reused_tokens = 30;
  reply.diagnostics.evaluate_ms = 40;
  metrics.count_reply(reply, 1);
  metrics.count_reply(reply, 1);
  const std::string text = metrics.text({});
  EXPECT_TRUE(has(text, "logit_evaluated_tokens_total 140\n"));
  EXPECT_TRUE(has(text, "logit_reused_tokens_total 60\n"));
  EXPECT_TRUE(has(text, "logit_questions_total 4\n"));
  EXPECT_TRUE(has(text, "logit_stage_duration_seconds_count{stage=\"evaluate\"} 2\n"));
  EXPECT_TRUE(has(text, "logit_stage_duration_seconds_sum{stage=\"evaluate\"} 0.08\n"));
}

}  // namespace
}  // namespace logit::serve
