// What a request costs beside a plain prefill of as many tokens, and the memory it peaks at.
//
//   logit-bench MODEL [THREADS]
//
// Each case runs three times on a fresh backend: cold (empty-state baselines included), then
// repeated. The prefill evaluates one root of exactly as many tokens as the cold run did (as many
// roots as the context makes necessary), in the same process. The run with the middle ratio counts.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>

#include "logit/classifier.h"
#include "logit/llama_backend.h"
#include "requests.h"

namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

double peak_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  }
  return 0;
}

// One root of n different tokens, in pieces no longer than the context.
double prefill_ms(logit::Backend& backend, std::size_t n_tokens) {
  double total = 0;
  logit::Token seed = 300;
  while (n_tokens > 0) {
    const std::size_t n = std::min(n_tokens, backend.info().n_context);
    logit::Tokens tokens(n);
    for (logit::Token& token : tokens) token = 300 + (seed++ % 5000);
    logit::TokenTree tree;
    tree.add_node(logit::TokenTree::kNoParent, tokens);
    const auto start = Clock::now();
    const auto done = backend.evaluate(tree, {}, {});
    total += ms_since(start);
    if (!done) std::fprintf(stderr, "prefill: %s\n", done.error().message.c_str());
    n_tokens -= n;
  }
  return total;
}

// A profile that forces nothing: every way is named by the options.
logit::Profile any_profile(const std::string& fingerprint) {
  logit::Profile profile;
  profile.fingerprint = fingerprint;
  for (auto type :
       {logit::QuestionType::kNoul, logit::QuestionType::kChoice, logit::QuestionType::kScore}) {
    profile.types.push_back({type, {}, 0, false, {}});
  }
  return profile;
}

struct Run {
  double cold_ms = 0;
  double plain_ms = 0;
  double warm_ms = 0;
  double loaded_mib = 0;
  double peak_mib = 0;
  std::size_t planned = 0;
  std::size_t evaluated = 0;
};

int fail(const char* name, const logit::Error& error) {
  std::fprintf(stderr, "%s: %s\n", name, error.message.c_str());
  return 4;
}

int run_once(const logit::bench::Case& one, const logit::LlamaOptions& model, Run& run) {
  reset_peak();
  auto backend = logit::open_llama_backend(model);
  if (!backend) return fail("model", backend.error());
  logit::Backend* engine = backend->get();
  run.loaded_mib = peak_mib();
  logit::ClassifierOptions options;
  options.readout = logit::Readout::kText;
  options.profile = any_profile(engine->info().fingerprint);
  auto classifier = logit::Classifier::create(std::move(*backend), std::move(options));
  if (!classifier) return fail("classifier", classifier.error());
  const auto start = Clock::now();
  const auto cold = classifier->classify(one.request);
  run.cold_ms = ms_since(start);
  if (!cold) return fail(one.name.c_str(), cold.error());
  const auto again = Clock::now();
  const auto warm = classifier->classify(one.request);
  run.warm_ms = ms_since(again);
  if (!warm) return fail(one.name.c_str(), warm.error());
  run.peak_mib = peak_mib();
  run.planned = cold->diagnostics.prefix_tokens + cold->diagnostics.branch_tokens;
  run.evaluated = cold->diagnostics.evaluated_tokens;
  run.plain_ms = prefill_ms(*engine, run.evaluated);
  return 0;
}

// The run with the middle ratio of three.
int run_case(const logit::bench::Case& one, const logit::LlamaOptions& model) {
  std::array<Run, 3> runs;
  for (Run& run : runs) {
    if (const int code = run_once(one, model, run); code != 0) return code;
  }
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
    return a.cold_ms / a.plain_ms < b.cold_ms / b.plain_ms;
  });
  const Run& run = runs[1];
  std::printf("%-26s %8zu %9zu %9.1f %9.1f %6.2f %9.1f %8.0f %8.0f\n", one.name.c_str(),
              run.planned, run.evaluated, run.cold_ms, run.plain_ms, run.cold_ms / run.plain_ms,
              run.warm_ms, run.loaded_mib, run.peak_mib);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: logit-bench MODEL [THREADS]\n");
    return 2;
  }
  logit::LlamaOptions model;
  model.path = argv[1];
  if (argc > 2) model.n_threads = std::strtoul(argv[2], nullptr, 10);
  std::printf("%-26s %8s %9s %9s %9s %6s %9s %8s %8s\n", "request", "planned", "evaluated",
              "cold ms", "plain ms", "ratio", "again ms", "load MiB", "peak MiB");
  for (const auto& one : logit::bench::all_cases()) {
    if (const int code = run_case(one, model); code != 0) return code;
  }
  return 0;
}
