// Profiles on disk: kept, found again, never trusted when damaged.
#include "profile_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <string>

#include "cli/support.h"

namespace logit::cli {
namespace {

using testing::environment_of;
using testing::Folder;

Profile profile_of(const std::string& fingerprint) {
  Profile profile;
  profile.fingerprint = fingerprint;
  for (const QuestionType type :
       {QuestionType::kNoul, QuestionType::kChoice, QuestionType::kScore}) {
    TypeProfile found;
    found.type = type;
    found.chance = .5;
    found.results = {{found.best, 4, 3, .25, 0}};
    profile.types.push_back(found);
  }
  profile.notes = {"a note"};
  return profile;
}

TEST(ProfileStore, TheFolderIsTheFlagsThenXdgThenTheUsers) {
  EXPECT_EQ(profile_folder("c", environment_of({})), "c/profiles");
  EXPECT_EQ(profile_folder("", environment_of({{"XDG_CACHE_HOME", "/x"}, {"HOME", "/h"}})),
            "/x/logit-classifier/profiles");
  EXPECT_EQ(profile_folder("", environment_of({{"XDG_CACHE_HOME", "x"}, {"HOME", "/h"}})),
            "/h/.cache/logit-classifier/profiles");
  EXPECT_EQ(profile_folder("", environment_of({})), "");
}

TEST(ProfileStore, WhatIsSavedIsLoaded) {
  const Folder folder;
  const auto file = profile_file(folder.path() / "new/profiles", "abc");
  ASSERT_TRUE(save_profile(file, profile_of("abc")));
  ASSERT_TRUE(save_profile(file, profile_of("abc"))) << "a second time replaces";
  const Result<std::optional<Profile>> loaded = load_profile(file, "abc");
  ASSERT_TRUE(loaded);
  ASSERT_TRUE(*loaded);
  EXPECT_EQ(profile_json(**loaded), profile_json(profile_of("abc")));
  const auto entries = std::filesystem::directory_iterator(file.parent_path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1) << "no temporary file stays";
}

TEST(ProfileStore, NoFileIsNoProfileAndNoError) {
  const Folder folder;
  const auto loaded = load_profile(folder.path() / "none.json", "abc");
  ASSERT_TRUE(loaded);
  EXPECT_FALSE(loaded->has_value());
}

TEST(ProfileStore, DamageAnotherModelAndFoldersAreErrors) {
  const Folder folder;
  const std::string whole = profile_json(profile_of("abc"));
  for (const std::string& text :
       {std::string(), std::string("{"), whole.substr(0, 40), profile_json(profile_of("other"))}) {
    const auto loaded = load_profile(folder.write("p.json", text), "abc");
    ASSERT_FALSE(loaded) << text;
    EXPECT_EQ(loaded.error().code, ErrorCode::kFile);
  }
  EXPECT_FALSE(load_profile(folder.path(), "abc"));
}

TEST(ProfileStore, AFingerprintIsNeverAPath) {
  EXPECT_EQ(profile_file("f", "../a/b"), std::filesystem::path("f/.._a_b.json"));
}

TEST(ProfileStore, AFolderThatCannotBeMadeIsAnErrorAndLeavesNothing) {
  const Folder folder;
  const std::string in_the_way = folder.write("file", "x");
  const Result<Done> saved = save_profile(in_the_way + "/profiles/a.json", profile_of("a"));
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code, ErrorCode::kFile);
}

TEST(ProfileStore, AFailedRenameLeavesNoTemporaryFile) {
  const Folder folder;
  folder.write("a.json/inside", "a folder stands where the file should");
  ASSERT_FALSE(save_profile(folder.path() / "a.json", profile_of("a")));
  const auto entries = std::filesystem::directory_iterator(folder.path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
}

}  // namespace
}  // namespace logit::cli
