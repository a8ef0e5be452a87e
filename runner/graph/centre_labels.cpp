#include "graph/centre_labels.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "gxr/plain_text.hpp"

namespace gxr {
namespace {

constexpr std::string_view kNode = "class=\"node\"";
constexpr std::string_view kEnd = "</g>";
constexpr std::string_view kBegin = "text-anchor=\"start\" x=\"";

/// The value of the first attribute `name` in `node`.
std::optional<std::string> attribute(const std::string& node, std::string_view name) {
  const std::string opening = " " + std::string(name) + "=\"";
  const std::size_t found = node.find(opening);
  if (found == std::string::npos) {
    return std::nullopt;
  }
  const std::size_t begin = found + opening.size();
  return node.substr(begin, node.find('"', begin) - begin);
}

/// The middle between the left and right ends of a path or polygon: "M171,-479C171,-479 …".
double middle_of(const std::string& points) {
  double left = std::numeric_limits<double>::max();
  double right = std::numeric_limits<double>::lowest();
  for (std::size_t comma = points.find(','); comma != std::string::npos;
       comma = points.find(',', comma + 1)) {
    const std::size_t before = points.find_last_not_of("-.0123456789", comma - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const double x = plain_number(std::string_view(points).substr(begin, comma - begin));
    left = std::min(left, x);
    right = std::max(right, x);
  }
  return (left + right) / 2;
}

/// Where the node's shape has its middle, from left to right.
std::optional<std::string> centre_of(const std::string& node) {
  if (std::optional<std::string> centre = attribute(node, "cx")) {
    return centre;
  }
  for (const std::string_view shape : {"points", "d"}) {
    if (const std::optional<std::string> points = attribute(node, shape)) {
      return fixed_text(middle_of(*points), 2);
    }
  }
  return std::nullopt;
}

std::string centred(std::string node) {
  const std::optional<std::string> centre = centre_of(node);
  for (std::size_t at = node.find(kBegin); centre && at != std::string::npos;
       at = node.find(kBegin, at + 1)) {
    const std::size_t end = node.find('"', at + kBegin.size());
    node.replace(at, end - at, "text-anchor=\"middle\" x=\"" + *centre);
  }
  return node;
}

}  // namespace

std::string centre_labels(const std::string& svg) {
  std::string result;
  std::size_t done = 0;
  for (std::size_t node = svg.find(kNode); node != std::string::npos;
       node = svg.find(kNode, done)) {
    const std::size_t end = std::min(svg.find(kEnd, node), svg.size());
    result += svg.substr(done, node - done) + centred(svg.substr(node, end - node));
    done = end;
  }
  return result + svg.substr(done);
}

}  // namespace gxr
