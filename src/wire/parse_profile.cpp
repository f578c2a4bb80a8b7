// Reads a profile that profile_json wrote, and trusts nothing in it: a file may be torn or edited.
// Its entry is parse_profile. Tested by tests/wire/profile_test.cpp.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "logit/profile.h"
#include "wire/file_reader.h"
#include "wire/json_reader.h"
#include "wire/repeated_keys.h"

namespace logit {
namespace {

using wire::Node;

class ProfileReader : public wire::FileReader {
 public:
  ProfileReader() : FileReader("profile") {}

  Profile profile(const Node& root) {
    Profile profile;
    check_version(member(root, "version"), std::size_t{Profile::kVersion});
    profile.fingerprint = text(member(root, "fingerprint"));
    const Node types = member(root, "types");
    for (const Node& item : items(types)) profile.types.push_back(type_profile(item));
    for (const auto type : kTypes) check_once(profile, type, types);
    profile.notes = texts(member(root, "notes"));
    return profile;
  }

 private:
  static constexpr auto kTypes = {QuestionType::kNoul, QuestionType::kChoice, QuestionType::kScore};
  static constexpr auto kFrames = {FrameKind::kPlain, FrameKind::kChat};

  void check_once(const Profile& profile, QuestionType type, const Node& types) {
    const auto n = std::count_if(profile.types.begin(), profile.types.end(),
                                 [&](const TypeProfile& entry) { return entry.type == type; });
    if (n != 1) fail(types, std::string("one entry is needed for ") + question_type_name(type));
  }

  TypeProfile type_profile(const Node& node) {
    TypeProfile entry;
    entry.type = named(member(node, "type"), kTypes, question_type_name);
    entry.best = way(member(node, "best"));
    entry.chance = number(member(node, "chance"), 0, 1);
    entry.at_chance = flag(member(node, "at_chance"));
    for (const Node& item : items(member(node, "results"))) entry.results.push_back(result(item));
    return entry;
  }

  WayResult result(const Node& node) {
    WayResult result;
    result.way = way(node);
    result.n = count(member(node, "n"));
    result.n_right = count(member(node, "n_right"));
    if (result.n_right > result.n) fail(member(node, "n_right"), "more than n");
    result.log_loss = number(member(node, "log_loss"), 0, std::numeric_limits<double>::max());
    result.label_mass = number(member(node, "label_mass"), 0, 1);
    return result;
  }

  Way way(const Node& node) {
    return {named(member(node, "readout"), kReadouts, readout_name),
            named(member(node, "frame"), kFrames, frame_kind_name)};
  }
};

}  // namespace

Result<Profile> parse_profile(std::string_view json) {
  ProfileReader reader;
  auto content = wire::read_json(json);
  if (!content) {
    reader.fail({nullptr, content.error().where}, content.error().message);
    return *reader.error();
  }
  wire::keep_last_members(*content);
  Profile profile = reader.profile({&*content, ""});
  if (reader.error()) return *reader.error();
  return profile;
}

}  // namespace logit
