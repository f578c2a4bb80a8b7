// Counts the processor cores that this process may really use.
//
// Entry: usable_cores(). Tests: tests/llama/machine_test.cpp.
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "llama/cgroup.h"
#include "llama/machine.h"
#include "logit/llama_backend.h"

namespace logit {
namespace {

std::vector<int> allowed_cpus() {
  std::vector<int> cpus;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
  }
  return cpus;
}

// Two hardware threads of one core share its vector units: a second one only gets in the way.
std::size_t physical_cores(const std::string& root, const std::vector<int>& cpus) {
  std::set<std::string> cores;
  for (const int cpu : cpus) {
    const std::string folder =
        root + "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
    const std::string core = first_line(folder + "core_id");
    if (core.empty()) return cpus.size();
    std::string name = first_line(folder + "physical_package_id");
    name.append(":").append(core);
    cores.insert(std::move(name));
  }
  return cores.size();
}

std::uint64_t whole_cores(double quota, double period) {
  if (!(quota > 0) || !(period > 0)) return kNoLimit;
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::floor(quota / period)));
}

// Version 2 has "max 100000" or "150000 100000" in one file, version 1 has two files.
std::uint64_t quota_in(const std::string& folder, CgroupVersion version) {
  std::string text = first_line(folder + "/cpu.max");
  if (version == CgroupVersion::kOne) {
    text = first_line(folder + "/cpu.cfs_quota_us");
    text.append(" ").append(first_line(folder + "/cpu.cfs_period_us"));
  }
  std::istringstream line(text);
  double quota = 0;
  double period = 0;
  return line >> quota >> period ? whole_cores(quota, period) : kNoLimit;
}

}  // namespace

std::size_t usable_cores_at(const std::string& root, const std::vector<int>& cpus) {
  if (cpus.empty()) return 1;
  const std::uint64_t quota = least_in_cgroups(root, "cpu", quota_in);
  return std::min({cpus.size(), physical_cores(root, cpus), static_cast<std::size_t>(quota)});
}

std::size_t usable_cores() { return usable_cores_at("", allowed_cpus()); }

}  // namespace logit
