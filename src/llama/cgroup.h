// Limits that the kernel's control groups set for this process.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

namespace logit {

enum class CgroupVersion : unsigned char { kOne, kTwo };

inline constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

// The least of what `read` says of the folders of this process's groups that `controller` ("cpu",
// "memory") rules, from the group's own up to the mount: a parent's limit binds, too. `root` is
// where /proc and /sys lie: "" but for tests.
std::uint64_t least_in_cgroups(
    const std::string& root, std::string_view controller,
    const std::function<std::uint64_t(const std::string& folder, CgroupVersion)>& read);

// Of a file that may be missing: empty then.
std::string first_line(const std::string& path);

}  // namespace logit
