// The contracts of backend.h as one set of tests for every backend: the scripted double (fast
// suite), tiny random models of several weight types, and the embedded default (model suite).
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "logit/backend.h"

namespace logit::testing {

struct BackendCase {
  std::string name;  // letters and digits
  // A fresh backend, as if the process had just started. kFile: not on this machine, skip.
  std::function<Result<std::unique_ptr<Backend>>(std::size_t n_threads)> open;
  // A leaf alone lies elsewhere in the memory than among siblings: nats by which it may differ.
  double leaf_noise = 0;
};

void PrintTo(const BackendCase& backend, std::ostream* out);

class BackendContract : public ::testing::TestWithParam<BackendCase> {
 protected:
  void SetUp() override;

  std::unique_ptr<Backend> fresh(std::size_t n_threads = 1) const;

  std::unique_ptr<Backend> backend_;
};

std::string case_name(const ::testing::TestParamInfo<BackendCase>& info);

}  // namespace logit::testing
