#include "parsed.hpp"

namespace gxr::test {

namespace {

void dump_node(const Value& value, int depth, std::string& out) {
  out += std::string(static_cast<std::size_t>(depth) * 2, ' ') + place(value) + ' ';
  out += value.tag().empty() ? "" : std::string(value.tag()) + ' ';
  switch (value.kind()) {
    case ValueKind::Null:
      out += "null <" + std::string(value.text()) + ">\n";
      break;
    case ValueKind::Scalar:
      out += (value.quoted() ? "quoted <" : "plain <") + std::string(value.text()) + ">\n";
      break;
    case ValueKind::Sequence:
      out += value.flow() ? "flow list\n" : "list\n";
      break;
    case ValueKind::Map:
      out += value.flow() ? "flow map\n" : "map\n";
      break;
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value.is_map()) {
      dump_node(value.key(i), depth + 1, out);
    }
    dump_node(value.is_map() ? value.value(i) : value.at(i), depth + 1, out);
  }
}

}  // namespace

std::string dump(const Value& value) {
  std::string out;
  dump_node(value, 0, out);
  return out;
}

}  // namespace gxr::test
