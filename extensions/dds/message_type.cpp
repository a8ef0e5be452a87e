#include "dds/message_type.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr::dds {
namespace {

struct KindFacts {
  const char* name;
  std::size_t size;
};

constexpr KindFacts kKinds[] = {{"bool", 1},   {"int8", 1},    {"uint8", 1},   {"int16", 2},
                                {"uint16", 2}, {"int32", 4},   {"uint32", 4},  {"int64", 8},
                                {"uint64", 8}, {"float32", 4}, {"float64", 8}, {"string", 0},
                                {"", 0}};

constexpr const KindFacts& facts_of(FieldKind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

/// Of a text: its length, and the 0 at its end.
constexpr std::size_t kLeastText = 5;

std::string_view without_blanks(std::string_view text) {
  while (text.starts_with(' ')) {
    text.remove_prefix(1);
  }
  return text;
}

/// Cuts the piece before `separator` off.
std::string_view cut(std::string_view& text, char separator) {
  const std::size_t at = std::min(text.find(separator), text.size());
  const std::string_view piece = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return without_blanks(piece);
}

class Table {
 public:
  Table() {
    descriptions_.reserve(std::size(kDefinitions));  // fields point into it
    for (const Definition& definition : kDefinitions) {
      add(definition);
    }
  }

  [[nodiscard]] const std::vector<Description>& all() const { return descriptions_; }

 private:
  void add(const Definition& definition) {
    Description description;
    description.name = definition.name;
    description.type_hash = definition.type_hash;
    description.wire_name = wire_name_of(definition.name, description.is_ros());
    std::string_view fields = definition.fields;
    while (!fields.empty()) {
      description.fields.push_back(field_of(cut(fields, ';')));
      const Field& field = description.fields.back();
      description.least_bytes += field.form == FieldForm::Sequence
                                     ? sizeof(std::uint32_t)
                                     : field.least_bytes * field.length;
    }
    descriptions_.push_back(std::move(description));
  }

  static std::string wire_name_of(std::string_view name, bool is_ros) {
    std::string result;
    std::string_view rest = name;
    std::string_view last;
    while (!rest.empty()) {
      last = cut(rest, '/');
      result += rest.empty() ? (is_ros ? "dds_::" : "") : std::string(last) + "::";
    }
    return result + std::string(last) + (is_ros ? "_" : "");
  }

  Field field_of(std::string_view text) {
    Field field;
    std::string_view type = cut(text, ' ');
    field.name = text;
    if (const std::size_t bracket = type.find('['); bracket != std::string_view::npos) {
      const std::string_view length = type.substr(bracket + 1, type.size() - bracket - 2);
      field.form = length.empty() ? FieldForm::Sequence : FieldForm::Array;
      std::from_chars(length.data(), length.data() + length.size(), field.length);
      type = type.substr(0, bracket);
    }
    for (std::size_t i = 0; i < std::size(kKinds); ++i) {
      if (type == kKinds[i].name) {
        field.kind = static_cast<FieldKind>(i);
        field.least_bytes = field.kind == FieldKind::Text ? kLeastText : kKinds[i].size;
        return field;
      }
    }
    field.kind = FieldKind::Structure;
    field.structure = find(type);
    if (field.structure == nullptr) {
      throw std::logic_error("the type " + std::string(type) + " is not known");
    }
    field.least_bytes = field.structure->least_bytes;
    return field;
  }

  [[nodiscard]] const Description* find(std::string_view name) const {
    const auto found = std::ranges::find(descriptions_, name, &Description::name);
    return found == descriptions_.end() ? nullptr : &*found;
  }

  std::vector<Description> descriptions_;
};

const Table& table() {
  static const Table once;
  return once;
}

constexpr std::string_view kRosPrefix = "rt/";

bool is_name(std::string_view name) {
  return !name.empty() && !is_digit(name.front()) &&
         std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

}  // namespace

std::size_t size_of(FieldKind kind) noexcept { return facts_of(kind).size; }
const char* to_string(FieldKind kind) noexcept { return facts_of(kind).name; }

const std::vector<Description>& all_descriptions() { return table().all(); }

const Description& describe(MessageType type) {
  return all_descriptions()[static_cast<std::size_t>(type)];
}

const Description* find_by_wire_name(std::string_view name) {
  const auto found = std::ranges::find(all_descriptions(), name, &Description::wire_name);
  return found == all_descriptions().end() ? nullptr : &*found;
}

const Description* find_by_name(std::string_view name) {
  const auto found = std::ranges::find(all_descriptions(), name, &Description::name);
  return found == all_descriptions().end() ? nullptr : &*found;
}

std::string type_called(const std::string& wire_name) {
  if (const Description* const type = find_by_wire_name(wire_name)) {
    return type->name;
  }
  constexpr std::string_view kWithin = "::dds_::";
  const std::size_t at = wire_name.find(kWithin);
  if (at == std::string::npos || !wire_name.ends_with('_')) {
    return wire_name;
  }
  std::string name = wire_name.substr(0, at) + "/" + wire_name.substr(at + kWithin.size());
  name.pop_back();
  for (std::size_t colons = 0; (colons = name.find("::")) != std::string::npos;) {
    name.replace(colons, 2, "/");
  }
  return name;
}

MessageDefinition definition_of(const Description& type) {
  MessageDefinition definition{type.name, type.wire_name, "structure", type.type_hash, "", {}};
  for (const Field& field : type.fields) {
    std::string kind = field.structure != nullptr ? field.structure->name : to_string(field.kind);
    kind += field.form == FieldForm::Sequence ? "[]"
            : field.form == FieldForm::Array  ? "[" + std::to_string(field.length) + "]"
                                              : "";
    definition.fields.push_back({std::move(kind), field.name, ""});
  }
  return definition;
}

std::string wire_topic(std::string_view name, const Description& type) {
  std::string_view rest = name.starts_with('/') ? name.substr(1) : name;
  const std::string topic = (type.is_ros() ? std::string(kRosPrefix) : "") + std::string(rest);
  bool right = !rest.empty() && !rest.ends_with('/');
  while (right && !rest.empty()) {
    right = is_name(cut(rest, '/'));
  }
  if (!right) {
    throw Error(ErrorCode::InvalidParameter,
                "'" + std::string(name) +
                    "' is no name of a topic: names are words of letters, digits and '_', which do "
                    "not begin with a digit, with '/' between them, as '/camera/image'");
  }
  if (!type.is_ros() && topic.starts_with(kRosPrefix)) {
    throw Error(ErrorCode::InvalidParameter,
                "'" + std::string(name) +
                    "' is no name for a topic of gxr's own type: 'rt/' stands before the topics of "
                    "ROS 2; set 'type' to one of its types, and leave 'rt/' out");
  }
  return topic;
}

std::string topic_name(std::string_view wire_topic) {
  if (wire_topic.starts_with(kRosPrefix)) {
    wire_topic.remove_prefix(kRosPrefix.size());
  }
  return (wire_topic.starts_with('/') ? "" : "/") + std::string(wire_topic);
}

}  // namespace gxr::dds
