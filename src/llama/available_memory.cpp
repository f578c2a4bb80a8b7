// Says how much memory this process may still take.
//
// Entry: available_memory(). Tests: tests/llama/machine_test.cpp.
#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "llama/cgroup.h"
#include "llama/machine.h"
#include "logit/llama_backend.h"

namespace logit {
namespace {

// The number in the line "name 123", with or without a colon.
std::optional<std::uint64_t> value_of(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key;
    std::uint64_t value = 0;
    if (words >> key >> value && (key == name || key == name + ":")) return value;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> number_in(const std::string& path) {
  std::istringstream line(first_line(path));  // "max": no number
  std::uint64_t value = 0;
  if (!(line >> value)) return std::nullopt;
  return value;
}

// Cached files count as used, and make room when memory is wanted.
std::uint64_t left_in(const std::string& folder, CgroupVersion version) {
  const bool is_two = version == CgroupVersion::kTwo;
  const auto limit = number_in(folder + (is_two ? "/memory.max" : "/memory.limit_in_bytes"));
  const auto used = number_in(folder + (is_two ? "/memory.current" : "/memory.usage_in_bytes"));
  if (!limit || !used) return kNoLimit;
  std::uint64_t cached = 0;
  for (const char* name : {"active_file", "inactive_file"}) {
    const std::string key = is_two ? name : std::string("total_") + name;
    cached += value_of(folder + "/memory.stat", key).value_or(0);
  }
  const std::uint64_t kept = *used - std::min(*used, cached);
  return *limit - std::min(*limit, kept);
}

}  // namespace

std::uint64_t available_memory_at(const std::string& root) {
  const std::uint64_t left = least_in_cgroups(root, "memory", left_in);
  const auto free_kib = value_of(root + "/proc/meminfo", "MemAvailable");
  return free_kib ? std::min(left, *free_kib * 1024) : left;
}

std::uint64_t available_memory() { return available_memory_at(""); }

}  // namespace logit
