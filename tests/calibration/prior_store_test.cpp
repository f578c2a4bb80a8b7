// src/calibration/prior_store.cpp: a running prior in a file that several processes may share.
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string>
#include <thread>

#include "calibration/durable_file.h"
#include "calibration/made_up.h"
#include "logit/running_prior.h"

namespace logit {
namespace {

using made_up::Folder;
using Names = std::vector<std::string>;
using Warnings = std::vector<std::string>;

const std::vector<double> kScores{1, 0, -1};

PriorStore opened(const std::filesystem::path& path, Warnings& warnings) {
  return PriorStore::open(path, "f1", 1, warnings);
}

void observe(PriorStore& store, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) store.observe(QuestionType::kChoice, kScores);
}

std::size_t count_in(const PriorStore& store) {
  const auto found = store.prior().buckets().find({QuestionType::kChoice, 3});
  return found == store.prior().buckets().end() ? 0 : found->second.count;
}

std::size_t count_on_disk(const std::filesystem::path& path) {
  Warnings warnings;
  const std::size_t count = count_in(opened(path, warnings));
  EXPECT_TRUE(warnings.empty()) << warnings.front();
  return count;
}

Names sorted_names(const Folder& folder) {
  Names names = folder.names();
  std::sort(names.begin(), names.end());
  return names;
}

bool all_have(const char* part, const Warnings& warnings) {
  return std::all_of(warnings.begin(), warnings.end(), [part](const std::string& warning) {
    return warning.find(part) != std::string::npos;
  });
}

// Nobody can open it, not even the superuser.
void make_lock_unusable(const std::filesystem::path& path) {
  const std::string lock = path.string() + ".lock";
  std::filesystem::remove(lock);
  std::filesystem::create_directory(lock);
}

TEST(PriorStore, WhatWasSavedComesBack) {
  const Folder folder("prior");
  Warnings warnings;
  PriorStore store = opened(folder.path() / "s.json", warnings);
  observe(store, 40);
  EXPECT_TRUE(store.has_unsaved());
  ASSERT_TRUE(store.save(warnings));
  EXPECT_FALSE(store.has_unsaved());
  const PriorStore again = opened(folder.path() / "s.json", warnings);
  EXPECT_EQ(count_in(again), 40U);
  EXPECT_EQ(again.correction(QuestionType::kChoice, 3).size(), 3U);
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(sorted_names(folder), (Names{"s.json", "s.json.lock"}));
}

TEST(PriorStore, NoPathIsMemoryOnly) {
  Warnings warnings;
  PriorStore store = opened("", warnings);
  observe(store, 40);
  EXPECT_TRUE(store.save(warnings));
  EXPECT_EQ(count_in(store), 40U);
}

TEST(PriorStore, APathWithoutAFileNameSavesNothing) {
  const Folder folder("prior-dir");
  Warnings warnings;
  PriorStore store = opened(folder.path() / "", warnings);
  observe(store, 1);
  EXPECT_FALSE(store.save(warnings));
  EXPECT_TRUE(store.has_unsaved());
}

TEST(PriorStore, AMissingFolderIsToldAtTheStartAndOnceUntilASaveSucceeds) {
  const Folder folder("prior-no-folder");
  const auto path = folder.path() / "no" / "s.json";
  Warnings warnings;
  PriorStore store = opened(path, warnings);
  EXPECT_EQ(warnings, Warnings{"what the running prior learns from now on is not kept: " +
                               path.string() + " cannot be written: No such file or directory"});
  observe(store, 2);
  EXPECT_FALSE(store.save(warnings));
  EXPECT_FALSE(store.save(warnings));
  EXPECT_EQ(warnings.size(), 1U);
  std::filesystem::create_directory(path.parent_path());
  ASSERT_TRUE(store.save(warnings));
  EXPECT_EQ(count_on_disk(path), 2U);
  std::filesystem::remove_all(path.parent_path());
  observe(store, 1);
  EXPECT_FALSE(store.save(warnings));
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[1].find("the running prior is not saved: " + path.string()), 0U);
}

TEST(PriorStore, OneThatCannotBeWrittenIsReadAndUsed) {
  const Folder folder("prior-read-only");
  const auto path = folder.path() / "s.json";
  Warnings warnings;
  PriorStore first = opened(path, warnings);
  observe(first, 40);
  ASSERT_TRUE(first.save(warnings));
  make_lock_unusable(path);
  const PriorStore store = opened(path, warnings);
  EXPECT_EQ(count_in(store), 40U);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].find("what the running prior learns from now on is not kept: " +
                             path.string() + ".lock cannot be opened: "),
            0U)
      << warnings[0];
}

TEST(PriorStore, OneInAFolderThatCannotBeWrittenIsReadAndUsed) {
  if (::geteuid() == 0) GTEST_SKIP() << "the superuser may write everywhere";
  const Folder folder("prior-read-only-folder");
  const auto path = folder.path() / "s.json";
  Warnings warnings;
  PriorStore first = opened(path, warnings);
  observe(first, 40);
  ASSERT_TRUE(first.save(warnings));
  std::filesystem::permissions(
      folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  EXPECT_EQ(count_in(opened(path, warnings)), 40U);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("is not kept: " + path.string()), std::string::npos) << warnings[0];
}

TEST(PriorStore, ATornFileThatCannotBeLockedStaysWhereItIs) {
  const Folder folder("prior-torn-unlocked");
  const auto path = folder.path() / "s.json";
  ASSERT_TRUE(calibration::replace_file(path, R"({"version":1,"finge)"));
  make_lock_unusable(path);
  Warnings warnings;
  EXPECT_EQ(count_in(opened(path, warnings)), 0U);
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_NE(warnings[1].find("s.json is damaged"), std::string::npos) << warnings[1];
  EXPECT_TRUE(warnings[1].ends_with("; what it held is not used")) << warnings[1];
  EXPECT_EQ(sorted_names(folder), (Names{"s.json", "s.json.lock"}));
}

TEST(PriorStore, OneThatAnotherProcessLocksIsReadAndUsed) {
  const Folder folder("prior-busy");
  const auto path = folder.path() / "s.json";
  Warnings warnings;
  PriorStore first = opened(path, warnings);
  observe(first, 40);
  ASSERT_TRUE(first.save(warnings));
  const auto held = calibration::FileLock::take(path.string() + ".lock");
  ASSERT_TRUE(held);
  EXPECT_EQ(count_in(opened(path, warnings)), 40U);
  EXPECT_TRUE(warnings.empty());
}

TEST(PriorStore, ATornFileIsSetAsideWithOneWarning) {
  const Folder folder("prior-torn");
  const auto path = folder.path() / "s.json";
  ASSERT_TRUE(calibration::replace_file(path, R"({"version":1,"finge)"));
  Warnings warnings;
  PriorStore store = opened(path, warnings);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("s.json is damaged"), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("s.json.corrupt-"), std::string::npos) << warnings[0];
  const Names names = sorted_names(folder);
  ASSERT_EQ(names.size(), 2U);
  EXPECT_TRUE(names[0].starts_with("s.json.corrupt-2")) << names[0];
  EXPECT_EQ(**calibration::read_if_there(folder.path() / names[0]), R"({"version":1,"finge)");
  observe(store, 3);
  ASSERT_TRUE(store.save(warnings));
  EXPECT_EQ(count_on_disk(path), 3U);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST(PriorStore, ContentOfAnotherModelIsDroppedAndReplacedOnSave) {
  const Folder folder("prior-model");
  const auto path = folder.path() / "s.json";
  Warnings warnings;
  PriorStore other = PriorStore::open(path, "f2", 1, warnings);
  observe(other, 50);
  ASSERT_TRUE(other.save(warnings));
  PriorStore store = opened(path, warnings);
  EXPECT_EQ(count_in(store), 0U);
  observe(store, 2);
  ASSERT_TRUE(store.save(warnings));
  ASSERT_EQ(warnings.size(), 1U);  // told once
  EXPECT_NE(warnings[0].find("another model"), std::string::npos);
  EXPECT_EQ(count_on_disk(path), 2U);
}

TEST(PriorStore, AFileOfANewerVersionIsNeverWritten) {
  const Folder folder("prior-newer");
  const auto path = folder.path() / "s.json";
  const std::string newer = R"({"version":2,"what":"it knows"})";
  ASSERT_TRUE(calibration::replace_file(path, newer));
  Warnings warnings;
  PriorStore store = opened(path, warnings);
  ASSERT_EQ(warnings.size(), 1U);
  observe(store, 5);
  const auto saved = store.save(warnings);
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().where, path.string());
  EXPECT_EQ(**calibration::read_if_there(path), newer);
  EXPECT_TRUE(store.has_unsaved());
}

TEST(PriorStore, TwoStoresOnOneFileAddUp) {
  const Folder folder("prior-two");
  const auto path = folder.path() / "s.json";
  Warnings warnings;
  PriorStore a = opened(path, warnings);
  PriorStore b = opened(path, warnings);
  for (std::size_t round = 1; round <= 3; ++round) {
    observe(a, 2);
    observe(b, 3);
    ASSERT_TRUE(a.save(warnings));
    ASSERT_TRUE(b.save(warnings));
    EXPECT_EQ(count_in(b), 5 * round);
  }
  EXPECT_EQ(count_on_disk(path), 15U);
}

TEST(PriorStore, ProcessesThatSaveAtOnceLoseNothing) {
  const Folder folder("prior-many");
  const auto path = folder.path() / "s.json";
  constexpr std::size_t kProcesses = 4;
  constexpr std::size_t kSaves = 40;
  pid_t children[kProcesses];
  for (pid_t& child : children) {
    child = ::fork();
    if (child != 0) continue;
    Warnings warnings;
    PriorStore store = opened(path, warnings);
    bool is_good = true;
    for (std::size_t i = 0; i < kSaves; ++i) {
      observe(store, 1);
      const auto saved = store.save(warnings);
      // One that never gets the lock keeps what it has for its next save, and says so.
      is_good = is_good && (saved || saved.error().code == ErrorCode::kBusy);
    }
    while (store.has_unsaved() && is_good) {
      const auto saved = store.save(warnings);
      is_good = saved || saved.error().code == ErrorCode::kBusy;
    }
    ::_exit(is_good && all_have("another process holds its lock", warnings) ? 0 : 1);
  }
  for (const pid_t child : children) {
    int status = 1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(count_on_disk(path), kProcesses * kSaves);
  EXPECT_EQ(sorted_names(folder), (Names{"s.json", "s.json.lock"}));
}

// A child that saves without end and writes one byte for each save that was acknowledged.
pid_t start_saving(const std::filesystem::path& path, int acknowledge) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  Warnings warnings;
  PriorStore store = opened(path, warnings);
  while (true) {
    observe(store, 1);
    if (!store.save(warnings) || ::write(acknowledge, "s", 1) != 1) ::_exit(1);
  }
}

TEST(PriorStore, AKillAmidASaveLosesNothingThatWasSaved) {
  const Folder folder("prior-kill");
  const auto path = folder.path() / "s.json";
  std::size_t n_acknowledged = 0;
  for (int round = 0; round < 25; ++round) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = start_saving(path, ends[1]);
    ::close(ends[1]);
    char byte = 0;
    ASSERT_EQ(::read(ends[0], &byte, 1), 1);  // it is at work
    ++n_acknowledged;
    std::this_thread::sleep_for(std::chrono::microseconds(137 * round));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    while (::read(ends[0], &byte, 1) == 1) ++n_acknowledged;
    ::close(ends[0]);
    const std::size_t n_saved = count_on_disk(path);
    // At most the save it was killed in is there without having been acknowledged.
    EXPECT_GE(n_saved, n_acknowledged);
    EXPECT_LE(n_saved, n_acknowledged + 1);
    n_acknowledged = n_saved;
  }
  EXPECT_EQ(sorted_names(folder), (Names{"s.json", "s.json.lock"}));
}

TEST(PriorStore, AFullDiskLosesNothingAndTheNextSaveHasAll) {
  const Folder folder("prior-full");
  if (::mount("none", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0) {
    GTEST_SKIP() << "no small file system can be mounted here: " << std::strerror(errno);
  }
  const auto path = folder.path() / "s.json";
  Warnings warnings;
  PriorStore store = opened(path, warnings);
  observe(store, 10);
  EXPECT_TRUE(store.save(warnings));
  std::string filler(60000, 'x');
  while (!filler.empty() && !calibration::replace_file(folder.path() / "fill", filler)) {
    filler.resize(filler.size() - 4096);
  }
  while (calibration::replace_file(folder.path() / ("fill" + std::to_string(filler.size())),
                                   std::string(4000, 'x'))) {
    filler += 'x';
  }
  observe(store, 5);
  const auto failed = store.save(warnings);
  EXPECT_TRUE(!failed && failed.error().message.find("No space") != std::string::npos);
  EXPECT_EQ(count_on_disk(path), 10U);
  std::filesystem::remove(folder.path() / "fill");
  EXPECT_TRUE(store.save(warnings));
  EXPECT_EQ(count_on_disk(path), 15U);
  EXPECT_EQ(::umount(folder.path().c_str()), 0);
}

}  // namespace
}  // namespace logit
