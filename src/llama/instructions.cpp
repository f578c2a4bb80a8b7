// Compares what llama.cpp was compiled for with what the processor can do.
//
// Entry: check_processor(). Tests: tests/llama/machine_test.cpp.
#include <ggml-cpu.h>

#include "llama/machine.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

// They tell what ggml was compiled with. Where ggml picks one of several compiled variants at run
// time they are not linked, and need not be: it picks one that runs.
#pragma weak ggml_cpu_has_avx
#pragma weak ggml_cpu_has_avx2
#pragma weak ggml_cpu_has_fma
#pragma weak ggml_cpu_has_f16c
#pragma weak ggml_cpu_has_bmi2
#pragma weak ggml_cpu_has_avx512
#pragma weak ggml_cpu_has_avx512_vbmi
#pragma weak ggml_cpu_has_avx512_vnni

namespace logit {

std::string lacking(std::span<const Instructions> sets) {
  std::string names;
  for (const Instructions& set : sets) {
    if (!set.compiled || set.runs) continue;
    names += (names.empty() ? "" : ", ") + std::string(set.name);
  }
  return names;
}

#if defined(__x86_64__) || defined(__i386__)
namespace {

bool compiled(int (*has)()) { return has != nullptr && has() != 0; }

bool has_f16c() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}

}  // namespace

Result<Done> check_processor() {
  __builtin_cpu_init();
  const Instructions sets[] = {
      {"avx", compiled(ggml_cpu_has_avx), __builtin_cpu_supports("avx") != 0},
      {"avx2", compiled(ggml_cpu_has_avx2), __builtin_cpu_supports("avx2") != 0},
      {"fma", compiled(ggml_cpu_has_fma), __builtin_cpu_supports("fma") != 0},
      {"f16c", compiled(ggml_cpu_has_f16c), has_f16c()},
      {"bmi2", compiled(ggml_cpu_has_bmi2), __builtin_cpu_supports("bmi2") != 0},
      {"avx512f", compiled(ggml_cpu_has_avx512), __builtin_cpu_supports("avx512f") != 0},
      {"avx512vbmi", compiled(ggml_cpu_has_avx512_vbmi), __builtin_cpu_supports("avx512vbmi") != 0},
      {"avx512vnni", compiled(ggml_cpu_has_avx512_vnni), __builtin_cpu_supports("avx512vnni") != 0},
  };
  const std::string names = lacking(sets);
  if (names.empty()) return Done{};
  return Error{ErrorCode::kMissingDependency,
               "llama.cpp was compiled for another processor: this one lacks " + names};
}
#else
Result<Done> check_processor() { return Done{}; }
#endif

}  // namespace logit
