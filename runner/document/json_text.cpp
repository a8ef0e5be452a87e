#include "document/json_text.hpp"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "document/utf8.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

/// How deep the lists and maps of a JSON text are. Counts right up to the first mistake in it,
/// where a parser ends.
std::size_t depth_of(std::string_view text) noexcept {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      i += c == '\\' ? 1 : 0;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      depth -= depth > 0 ? 1 : 0;
    }
  }
  return deepest;
}

[[noreturn]] void throw_invalid_json(const std::string& text) {
  throw Error(ErrorCode::InvalidData, text);
}

/// The library's text begins with its own number in brackets.
std::string reason_of(const nlohmann::json::exception& error) {
  const std::string_view reason(error.what());
  const std::size_t end = reason.find("] ");
  return printable(end == std::string_view::npos ? reason : reason.substr(end + 2));
}

}  // namespace

nlohmann::json read_foreign_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.most_bytes) {
    throw_invalid_json("it has " + std::to_string(text.size()) + " bytes, and may have " +
                       std::to_string(limits.most_bytes));
  }
  if (depth_of(text) > limits.deepest) {
    throw_invalid_json("its lists and maps are nested more than " + std::to_string(limits.deepest) +
                       " levels deep");
  }
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    throw_invalid_json(reason_of(error));
  }
}

}  // namespace gxr
