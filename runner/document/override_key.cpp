#include "document/override_key.hpp"

#include <vector>

namespace gxr {

namespace {

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> pieces;
  for (std::size_t slash = text.find('/'); slash != std::string_view::npos;
       slash = text.find('/')) {
    pieces.emplace_back(text.substr(0, slash));
    text.remove_prefix(slash + 1);
  }
  pieces.emplace_back(text);
  return pieces;
}

std::string find_problem(const std::vector<std::string>& pieces) {
  if (pieces.size() < 2) {
    return "has no '/' between entity and parameter";
  }
  if (pieces.size() > 3) {
    return "has more than three parts between '/'";
  }
  if (pieces.back().empty()) {
    return "names no parameter";
  }
  if (pieces.size() == 3 && pieces[1].empty()) {
    return "has an empty component name";
  }
  return {};
}

}  // namespace

std::optional<OverrideKey> parse_override_key(std::string_view text, std::string& problem) {
  std::vector<std::string> pieces = split(text);
  problem = find_problem(pieces);
  if (!problem.empty()) {
    return std::nullopt;
  }
  return OverrideKey{pieces.front(), pieces.size() == 3 ? pieces[1] : std::string{}, pieces.back()};
}

}  // namespace gxr
