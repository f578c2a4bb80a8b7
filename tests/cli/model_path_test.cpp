// Where a model is looked for, and what is said when it is not there.
#include "model_path.h"

#include <gtest/gtest.h>

#include <string>

#include "cli/support.h"

namespace logit::cli {
namespace {

using testing::Folder;

TEST(ModelPath, APathIsTakenAsItIs) {
  const Folder folder;
  const std::string file = folder.write("\xd0\x9c / 'x'.gguf", "");
  EXPECT_EQ(*find_model({file, "", ""}), file);
}

TEST(ModelPath, AnIdIsFoundWithAndWithoutItsEnding) {
  const Folder folder;
  const std::string file = folder.write("models/small.gguf", "");
  for (const char* id : {"small", "small.gguf"}) {
    EXPECT_EQ(*find_model({id, (folder.path() / "models").string(), ""}), file);
    EXPECT_EQ(*find_model({id, "", folder.path()}), file);
  }
}

TEST(ModelPath, TheGivenFolderComesBeforeTheProgramsBeforeTheSourceTree) {
  const Folder folder;
  folder.write("include/logit/classifier.h", "");
  const std::filesystem::path program = folder.path() / "build/release/apps/cli";
  std::filesystem::create_directories(program);
  const std::string tree = folder.write("models/m.gguf", "");
  EXPECT_EQ(*find_model({"m", "", program}), tree);
  const std::string share =
      folder.write("build/release/apps/share/logit-classifier/models/m.gguf", "");
  EXPECT_EQ(*find_model({"m", "", program}), share);
  const std::string beside = folder.write("build/release/apps/cli/models/m.gguf", "");
  EXPECT_EQ(*find_model({"m", "", program}), beside);
  const std::string given = folder.write("mine/m.gguf", "");
  EXPECT_EQ(*find_model({"m", (folder.path() / "mine").string(), program}), given);
}

TEST(ModelPath, TheDefaultIsF16AndElseWhatItIsMadeFrom) {
  const Folder folder;
  const std::string made_from = folder.write("models/SmolLM2-135M-Instruct.Q4_1.gguf", "");
  EXPECT_EQ(*find_model({"", "", folder.path()}), made_from);
  const std::string f16 = folder.write("models/SmolLM2-135M-Instruct-F16.gguf", "");
  EXPECT_EQ(*find_model({"", "", folder.path()}), f16);
}

TEST(ModelPath, AFolderIsLeftToTheLoaderUnlessAnIdIsMeant) {
  const Folder folder;
  EXPECT_EQ(*find_model({folder.path().string(), "", ""}), folder.path().string());
}

TEST(ModelPath, NotFoundListsThePlacesAndSaysWhatToDo) {
  const Folder folder;
  const Result<std::string> found = find_model({"none", folder.path().string(), folder.path()});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kModelLoad);
  for (const std::string& part : {folder.path().string(), (folder.path() / "models").string(),
                                  std::string("'none'"), std::string("scripts/setup")}) {
    EXPECT_NE(found.error().message.find(part), std::string::npos) << part;
  }
}

}  // namespace
}  // namespace logit::cli
