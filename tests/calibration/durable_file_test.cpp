// src/calibration/durable_file.cpp, calibration_file.cpp: files that are replaced in one step.
#include "calibration/durable_file.h"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include "calibration/made_up.h"
#include "logit/calibration.h"

namespace logit::calibration {
namespace {

using made_up::Folder;
using Names = std::vector<std::string>;

std::string content(const std::filesystem::path& path) {
  const auto text = read_if_there(path);
  return text && *text ? **text : "(none)";
}

TEST(ReplaceFile, WritesAndReplacesAndLeavesNothingElse) {
  const Folder folder("replace");
  const auto path = folder.path() / "f";
  ASSERT_TRUE(replace_file(path, "one"));
  ASSERT_TRUE(replace_file(path, "two"));
  EXPECT_EQ(content(path), "two");
  EXPECT_EQ(folder.names(), Names{"f"});
}

TEST(ReplaceFile, MissingFolderIsAnErrorThatNamesTheFile) {
  const Folder folder("missing");
  const auto path = folder.path() / "no" / "f";
  const auto done = replace_file(path, "x");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kFile);
  EXPECT_EQ(done.error().where, path.string());
  EXPECT_NE(done.error().message.find("No such file"), std::string::npos);
  EXPECT_FALSE(replace_file(folder.path() / "", "x"));
}

TEST(CheckReplaceable, TellsWhatReplacingWouldTellAndLeavesNothing) {
  const Folder folder("check");
  EXPECT_TRUE(check_replaceable(folder.path() / "f"));
  EXPECT_EQ(folder.names(), Names{});
  for (const auto& path : {folder.path() / "no" / "f", folder.path() / ""}) {
    const auto checked = check_replaceable(path);
    const auto replaced = replace_file(path, "x");
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().where, path.string());
    EXPECT_EQ(checked.error().message, replaced.error().message);
  }
}

TEST(ReplaceFile, AFolderInItsPlaceIsAnErrorAndNoTemporaryFileIsLeft) {
  const Folder folder("is-folder");
  std::filesystem::create_directories(folder.path() / "f" / "inside");
  ASSERT_FALSE(replace_file(folder.path() / "f", "x"));
  EXPECT_EQ(folder.names(), Names{"f"});
}

TEST(ReplaceFile, ReadOnlyFolderKeepsTheOldFile) {
  if (::geteuid() == 0) GTEST_SKIP() << "the superuser may write everywhere";
  const Folder folder("read-only");
  ASSERT_TRUE(replace_file(folder.path() / "f", "old"));
  std::filesystem::permissions(
      folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const auto done = replace_file(folder.path() / "f", "new");
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("Permission denied"), std::string::npos);
  EXPECT_EQ(content(folder.path() / "f"), "old");
}

TEST(ReplaceFile, ALeftBehindTemporaryFileIsNotInTheWay) {
  const Folder folder("left");
  ASSERT_TRUE(replace_file(folder.path() / ("f.tmp" + std::to_string(::getpid()) + "-0"), "torn"));
  EXPECT_TRUE(replace_file(folder.path() / "f", "x"));
  EXPECT_EQ(content(folder.path() / "f"), "x");
}

// Runs `work` in a child process and returns its exit code.
template <class Work>
int in_child(Work work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ReplaceFile, AWriteThatFailsHalfWayKeepsTheOldFile) {
  const Folder folder("half");
  const auto path = folder.path() / "f";
  ASSERT_TRUE(replace_file(path, "old"));
  const int code = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto done = replace_file(path, std::string(5000, 'n'));
    return done || done.error().message.find("File too large") == std::string::npos ? 1 : 0;
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(content(path), "old");
  EXPECT_EQ(folder.names(), Names{"f"});
}

TEST(ReplaceFile, AFullDiskKeepsTheOldFileAndIsNamed) {
  const Folder folder("full");
  if (::mount("none", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0) {
    GTEST_SKIP() << "no small file system can be mounted here: " << std::strerror(errno);
  }
  const auto path = folder.path() / "f";
  EXPECT_TRUE(replace_file(path, "old"));
  const auto done = replace_file(path, std::string(100000, 'n'));
  EXPECT_TRUE(!done && done.error().message.find("No space") != std::string::npos);
  EXPECT_EQ(content(path), "old");
  EXPECT_EQ(folder.names(), Names{"f"});
  EXPECT_TRUE(replace_file(path, "new"));
  EXPECT_EQ(::umount(folder.path().c_str()), 0);
}

TEST(FileLock, IsHeldByOneProcessAtATimeAndDiesWithIt) {
  const Folder folder("lock");
  const auto path = folder.path() / "l";
  {
    const auto held = FileLock::take(path);
    ASSERT_TRUE(held);
    const int code = in_child([&] {
      const auto second = FileLock::take(path);
      return !second && second.error().code == ErrorCode::kBusy ? 0 : 1;
    });
    EXPECT_EQ(code, 0);
  }
  EXPECT_EQ(in_child([&] { return FileLock::take(path) ? 0 : 1; }), 0);
  EXPECT_TRUE(FileLock::take(path));
}

TEST(LoadCalibration, ReadsWhatSaveWroteAndNamesTheFileInErrors) {
  const Folder folder("load");
  const std::string path = (folder.path() / "cal.json").string();
  EXPECT_EQ(load_calibration(path).error().message, "there is no such file");
  Calibration calibration;
  calibration.fingerprint = "f";
  ASSERT_TRUE(save_calibration(path, calibration));
  const auto loaded = load_calibration(path);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->fingerprint, "f");
  ASSERT_TRUE(replace_file(path, "{}"));
  EXPECT_EQ(load_calibration(path).error().where, path + ": version");
}

}  // namespace
}  // namespace logit::calibration
