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
  line.text("readout", readout_name(way.readout));
  line.text("frame", frame_kind_name(way.frame));
}

void add_result(JsonLine& line, const WayResult& result) {
  line.open('{');
  add_way(line, result.way);
  line.count("n", result.n);
  line.count("n_right", result.n_right);
  line.number("log_loss", result.log_loss);
  line.number("label_mass", result.label_mass);
  line.close('}');
}

void add_type(JsonLine& line, const TypeProfile& type) {
  line.open('{');
  line.text("type", question_type_name(type.type));
  line.open("best", '{');
  add_way(line, type.best);
  line.close('}');
  line.number("chance", type.chance);
  line.flag("at_chance", type.at_chance);
  line.open("results", '[');
  for (const WayResult& result : type.results) add_result(line, result);
  line.close(']');
  line.close('}');
}

}  // namespace

std::string profile_json(const Profile& profile) {
  JsonLine line;
  line.open('{');
  line.count("version", std::size_t{Profile::kVersion});
  line.text("fingerprint", profile.fingerprint);
  line.open("types", '[');
  for (const TypeProfile& type : profile.types) add_type(line, type);
  line.close(']');
  line.open("notes", '[');
  for (const std::string& note : profile.notes) line.text(note);
  line.close(']');
  line.close('}');
  return std::move(line).take();
}

}  // namespace logit
