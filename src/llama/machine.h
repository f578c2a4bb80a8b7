// What this process may use of the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "logit/result.h"

namespace logit {

// usable_cores() on a machine whose /proc and /sys lie below `root`, for a process that is allowed
// to run on `cpus`.
std::size_t usable_cores_at(const std::string& root, const std::vector<int>& cpus);

// available_memory(), likewise.
std::uint64_t available_memory_at(const std::string& root);

struct Instructions {
  const char* name = "";
  bool compiled = false;  // llama.cpp was compiled to use them
  bool runs = false;      // this processor, under this system, can
};

// The names of the sets that were compiled in and do not run, joined by ", ".
std::string lacking(std::span<const Instructions> sets);

// kMissingDependency when llama.cpp was compiled for instructions that this processor lacks. Comes
// before anything of llama.cpp runs: the first such instruction would end the process. Knows x86.
Result<Done> check_processor();

}  // namespace logit
