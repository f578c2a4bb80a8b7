// Writes a profile as one line of JSON. Its entry is profile_json; parse_profile.cpp reads it back.
// Tested by tests/wire/profile_test.cpp.
#include <cstddef>
#include <string>
#include <utility>

#include "logit/profile.h"
#include "wire/json_line.h"

namespace logit {
namespace {

using wire::JsonLine;

void add_way(JsonLine& line, const Way& way) {
  line.key("readout");
  line.text(readout_name(way.readout));
  line.key("frame");
  line.text(frame_kind_name(way.frame));
}

void add_result(JsonLine& line, const WayResult& result) {
  line.open('{');
  add_way(line, result.way);
  line.key("n");
  line.count(result.n);
  line.key("n_right");
  line.count(result.n_right);
  line.key("log_loss");
  line.number(result.log_loss);
  line.key("label_mass");
  line.number(result.label_mass);
  line.close('}');
}

void add_type(JsonLine& line, const TypeProfile& type) {
  line.open('{');
  line.key("type");
  line.text(question_type_name(type.type));
  line.key("best");
  line.open('{');
  add_way(line, type.best);
  line.close('}');
  line.key("chance");
  line.number(type.chance);
  line.key("at_chance");
  line.flag(type.at_chance);
  line.key("results");
  line.open('[');
  for (const WayResult& result : type.results) add_result(line, result);
  line.close(']');
  line.close('}');
}

}  // namespace

std::string profile_json(const Profile& profile) {
  JsonLine line;
  line.open('{');
  line.key("version");
  line.count(std::size_t{Profile::kVersion});
  line.key("fingerprint");
  line.text(profile.fingerprint);
  line.key("types");
  line.open('[');
  for (const TypeProfile& type : profile.types) add_type(line, type);
  line.close(']');
  line.key("notes");
  line.open('[');
  for (const std::string& note : profile.notes) line.text(note);
  line.close(']');
  line.close('}');
  return std::move(line).take();
}

}  // namespace logit
