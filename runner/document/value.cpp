#include "gxr/value.hpp"

#include "document/yaml_text.hpp"

namespace gxr {

namespace {

void append_yaml(const Value& value, std::string& out);

std::string scalar_text(const Value& value) {
  if (value.is_null()) {
    return value.text().empty() ? "~" : std::string(value.text());
  }
  // After a tag also "~" would be read as text; quotes say so to the reader.
  return yaml_scalar(value.text());
}

void append_key(const Value& key, std::string& out) {
  const std::size_t start = out.size();
  append_yaml(key, out);
  const bool simple =
      (key.is_scalar() || key.is_null()) && is_short_key(std::string_view(out).substr(start));
  if (!simple) {
    out.insert(start, "? ");
    out += ' ';
  }
  out += ": ";
}

void append_sequence(const Value& value, std::string& out) {
  out += '[';
  for (std::size_t i = 0; i < value.size(); ++i) {
    out += i > 0 ? ", " : "";
    append_yaml(value.at(i), out);
  }
  out += ']';
}

void append_map(const Value& value, std::string& out) {
  out += '{';
  for (std::size_t i = 0; i < value.size(); ++i) {
    out += i > 0 ? ", " : "";
    append_key(value.key(i), out);
    append_yaml(value.value(i), out);
  }
  out += '}';
}

void append_yaml(const Value& value, std::string& out) {
  if (!value.tag().empty()) {
    out += yaml_tag(value.tag()) + ' ';
  }
  switch (value.kind()) {
    case ValueKind::Null:
    case ValueKind::Scalar:
      out += scalar_text(value);
      break;
    case ValueKind::Sequence:
      append_sequence(value, out);
      break;
    case ValueKind::Map:
      append_map(value, out);
      break;
  }
}

}  // namespace

const Value* Value::find(std::string_view key) const noexcept {
  for (std::size_t i = 0; i < (is_map() ? size() : 0); ++i) {
    if (this->key(i).is_scalar() && this->key(i).text() == key) {
      return &value(i);
    }
  }
  return nullptr;
}

std::string Value::to_yaml() const {
  std::string out;
  append_yaml(*this, out);
  return out;
}

}  // namespace gxr
