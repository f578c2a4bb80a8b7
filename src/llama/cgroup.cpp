// Walks over the control groups of this process.
//
// Entry: least_in_cgroups(). Tests: tests/llama/machine_test.cpp.
#include "llama/cgroup.h"

#include <algorithm>
#include <fstream>

namespace logit {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// A line of /proc/self/cgroup is "id:controllers:/group"; no controllers means version 2. Inside
// a container the group's folder may be out of sight, and its mount is the group itself.
std::uint64_t least_in_cgroups(
    const std::string& root, std::string_view controller,
    const std::function<std::uint64_t(const std::string& folder, CgroupVersion)>& read) {
  const std::string wanted = std::string(",").append(controller).append(",");
  std::uint64_t least = kNoLimit;
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? first : line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    std::string group = line.substr(second + 1);
    const bool is_two = controllers == ",,";
    if (!group.starts_with('/') || (!is_two && controllers.find(wanted) == controllers.npos)) {
      continue;
    }
    const CgroupVersion version = is_two ? CgroupVersion::kTwo : CgroupVersion::kOne;
    std::string mount = root + "/sys/fs/cgroup";
    if (!is_two) mount.append("/").append(controller);
    least = std::min(least, read(mount, version));
    while (group.size() > 1) {
      least = std::min(least, read(mount + group, version));
      group.resize(group.rfind('/'));
    }
  }
  return least;
}

}  // namespace logit
