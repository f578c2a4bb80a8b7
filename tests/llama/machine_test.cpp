// Facts about what a process may use of a machine, on made-up machines.
#include "llama/machine.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "logit/llama_backend.h"

namespace logit {
namespace {

namespace fs = std::filesystem;

// The files of a machine below a folder of its own.
class MachineTest : public ::testing::Test {
 protected:
  MachineTest()
      : root_(fs::temp_directory_path() / ("logit-machine-" + std::to_string(getpid()))) {}
  ~MachineTest() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  void add_core(int cpu, int core) const {
    const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
    write(folder + "core_id", std::to_string(core) + "\n");
    write(folder + "physical_package_id", "0\n");
  }

  std::size_t cores(const std::vector<int>& cpus) const {
    return usable_cores_at(root_.string(), cpus);
  }
  std::uint64_t memory() const { return available_memory_at(root_.string()); }

 private:
  fs::path root_;
};

const std::vector<int> kEight = {0, 1, 2, 3, 4, 5, 6, 7};

// ---- Cores: case C109 ----

TEST_F(MachineTest, TheAffinityBinds) {
  EXPECT_EQ(cores(kEight), 8U);
  EXPECT_EQ(cores({2, 5}), 2U);
  EXPECT_EQ(cores({}), 1U);
}

TEST_F(MachineTest, TwoHardwareThreadsAreOneCore) {
  for (const int cpu : kEight) add_core(cpu, cpu % 4);
  EXPECT_EQ(cores(kEight), 4U);
  EXPECT_EQ(cores({0, 4}), 1U);
  EXPECT_EQ(cores({0, 1}), 2U);
}

TEST_F(MachineTest, AQuotaIsRoundedDownToAtLeastOneCore) {
  write("proc/self/cgroup", "0::/app\n");
  write("sys/fs/cgroup/app/cpu.max", "200000 100000\n");
  EXPECT_EQ(cores(kEight), 2U);
  write("sys/fs/cgroup/app/cpu.max", "150000 100000\n");
  EXPECT_EQ(cores(kEight), 1U);
  write("sys/fs/cgroup/app/cpu.max", "5000 100000\n");
  EXPECT_EQ(cores(kEight), 1U);
  write("sys/fs/cgroup/app/cpu.max", "max 100000\n");
  EXPECT_EQ(cores(kEight), 8U);
}

TEST_F(MachineTest, AQuotaOfAGroupAboveBindsToo) {
  write("proc/self/cgroup", "0::/a/b/c\n");
  write("sys/fs/cgroup/a/b/c/cpu.max", "600000 100000\n");
  write("sys/fs/cgroup/a/cpu.max", "300000 100000\n");
  EXPECT_EQ(cores(kEight), 3U);
  write("sys/fs/cgroup/cpu.max", "100000 100000\n");  // the mount, all that a container sees
  EXPECT_EQ(cores(kEight), 1U);
}

TEST_F(MachineTest, VersionOneHasItsQuotaInTwoFiles) {
  write("proc/self/cgroup", "4:memory:/m\n3:cpu,cpuacct:/app\n");
  write("sys/fs/cgroup/cpu/app/cpu.cfs_quota_us", "400000\n");
  write("sys/fs/cgroup/cpu/app/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cores(kEight), 4U);
  write("sys/fs/cgroup/cpu/app/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(cores(kEight), 8U);
}

TEST(UsableCores, IsAtLeastOneAndWithinTheAffinity) {
  EXPECT_GE(usable_cores(), 1U);
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  EXPECT_LE(usable_cores(), static_cast<std::size_t>(CPU_COUNT(&before)));
  cpu_set_t one;
  CPU_ZERO(&one);
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &before)) continue;
    CPU_SET(cpu, &one);
    break;
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(usable_cores(), 1U);
  sched_setaffinity(0, sizeof(before), &before);
}

// ---- Memory ----

constexpr const char* kMemory = "MemTotal: 4096 kB\nMemFree: 100 kB\nMemAvailable:   3072 kB\n";

TEST_F(MachineTest, WhatTheSystemHasToGiveIsAvailable) {
  write("proc/meminfo", kMemory);
  EXPECT_EQ(memory(), 3072U * 1024);
}

TEST_F(MachineTest, AGroupsLimitBindsAndItsCachedFilesMakeRoom) {
  write("proc/meminfo", kMemory);
  write("proc/self/cgroup", "0::/app\n");
  write("sys/fs/cgroup/app/memory.max", "1000000\n");
  write("sys/fs/cgroup/app/memory.current", "700000\n");
  EXPECT_EQ(memory(), 300000U);
  write("sys/fs/cgroup/app/memory.stat", "anon 200000\nactive_file 100000\ninactive_file 400000\n");
  EXPECT_EQ(memory(), 800000U);
  write("sys/fs/cgroup/app/memory.current", "2000000\n");
  EXPECT_EQ(memory(), 0U);
  write("sys/fs/cgroup/app/memory.max", "max\n");
  EXPECT_EQ(memory(), 3072U * 1024);
}

TEST_F(MachineTest, VersionOneNamesItsLimitOtherwise) {
  write("proc/meminfo", kMemory);
  write("proc/self/cgroup", "4:memory:/app\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "5000\n");
  write("sys/fs/cgroup/memory/app/memory.limit_in_bytes", "50000\n");
  write("sys/fs/cgroup/memory/app/memory.usage_in_bytes", "30000\n");
  write("sys/fs/cgroup/memory/app/memory.stat", "active_file 1\ntotal_active_file 20000\n");
  EXPECT_EQ(memory(), 40000U);
}

TEST(AvailableMemory, ThisMachineHasSome) {
  EXPECT_GT(available_memory(), std::uint64_t{1} << 20U);
}

}  // namespace
}  // namespace logit
