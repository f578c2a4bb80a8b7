// Counts the processor cores that this process may really use.
//
// Entry: usable_cores(). Tests: tests/llama/load_test.cpp.
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "logit/llama_backend.h"

namespace logit {
namespace {

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

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

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Two hardware threads of one core share its vector units: a second one only gets in the way.
std::size_t physical_cores(const std::vector<int>& cpus) {
  std::set<std::string> cores;
  for (const int cpu : cpus) {
    const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
    const std::string core = first_line(folder + "core_id");
    if (core.empty()) return kUnlimited;
    std::string name = first_line(folder + "physical_package_id");
    name.append(":").append(core);
    cores.insert(std::move(name));
  }
  return cores.size();
}

std::size_t whole_cores(double quota, double period) {
  if (!(quota > 0) || !(period > 0)) return kUnlimited;
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::floor(quota / period)));
}

// "max 100000" or "150000 100000".
std::size_t quota_v2(const std::string& folder) {
  std::istringstream line(first_line(folder + "/cpu.max"));
  double quota = 0;
  double period = 0;
  return line >> quota >> period ? whole_cores(quota, period) : kUnlimited;
}

std::size_t quota_v1(const std::string& folder) {
  std::istringstream quota_line(first_line(folder + "/cpu.cfs_quota_us"));
  std::istringstream period_line(first_line(folder + "/cpu.cfs_period_us"));
  double quota = 0;
  double period = 0;
  return quota_line >> quota && period_line >> period ? whole_cores(quota, period) : kUnlimited;
}

// The tightest quota from the group's folder up to the mount: a parent's limit binds, too.
std::size_t tightest(const std::string& mount, std::string group,
                     std::size_t (*quota)(const std::string&)) {
  std::size_t least = quota(mount);
  while (group.size() > 1) {
    least = std::min(least, quota(mount + group));
    group.resize(group.rfind('/'));
  }
  return least;
}

// A line of /proc/self/cgroup is "id:controllers:/group"; no controllers means version 2.
std::size_t cgroup_cores() {
  std::ifstream file("/proc/self/cgroup");
  std::size_t least = kUnlimited;
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string group = line.substr(second + 1);
    if (!group.starts_with('/')) continue;
    if (controllers == ",,") least = std::min(least, tightest("/sys/fs/cgroup", group, quota_v2));
    if (controllers.find(",cpu,") == controllers.npos) continue;
    least = std::min(least, tightest("/sys/fs/cgroup/cpu", group, quota_v1));
  }
  return least;
}

}  // namespace

std::size_t usable_cores() {
  const std::vector<int> cpus = allowed_cpus();
  if (cpus.empty()) return 1;
  return std::min({cpus.size(), physical_cores(cpus), cgroup_cores()});
}

}  // namespace logit
