#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "document/diagnostics.hpp"
#include "document/number_text.hpp"
#include "document/utf8.hpp"

namespace gxr {

namespace {

/// Longer words are compared but for their case only: nobody mistypes them by hand.
constexpr std::size_t kLongest = 256;
constexpr std::size_t kFar = std::numeric_limits<std::size_t>::max();

struct QualifiedName {
  std::string_view space;  ///< "nvidia::gxf", may be empty
  std::string_view name;
};

QualifiedName split_namespace(std::string_view text) {
  const std::size_t colons = text.rfind("::");
  return colons == std::string_view::npos
             ? QualifiedName{{}, text}
             : QualifiedName{text.substr(0, colons), text.substr(colons + 2)};
}

std::size_t smallest(std::size_t a, std::size_t b, std::size_t c) { return std::min({a, b, c}); }

/// Insertions, deletions, replacements and exchanges of neighbours that make `b` of `a`.
/// Damerau-Levenshtein distance in the restricted form (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    last[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
      row[j] = smallest(row[j - 1] + 1, last[j] + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

/// One mistake in three characters, and never a wholly different word.
std::size_t tolerated_mistakes(std::size_t length) {
  return length < 2 ? 0 : std::min(std::max<std::size_t>(length, 3) / 3, length - 1);
}

std::size_t bounded_distance(std::string_view a, std::string_view b) {
  if (a == b) {
    return 0;
  }
  const std::size_t bound = tolerated_mistakes(std::max(a.size(), b.size()));
  const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > bound || std::max(a.size(), b.size()) > kLongest) {
    return kFar;
  }
  const std::size_t distance = edit_distance(a, b);
  return distance <= bound ? distance : kFar;
}

/// How unlike two words are, smaller is nearer: mistakes in the name weigh more than the namespace.
std::size_t unlikeness(const std::string& word, std::string_view candidate) {
  const std::string other = lower_case(candidate);
  const QualifiedName a = split_namespace(word);
  const QualifiedName b = split_namespace(other);
  const std::size_t distance = bounded_distance(a.name, b.name);
  if (distance == kFar) {
    return kFar;
  }
  const bool same_space = a.space == b.space;
  const bool near_space = same_space || bounded_distance(a.space, b.space) != kFar;
  return distance * 3 + (same_space ? 0U : near_space ? 1U : 2U);
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string wanted = lower_case(word);
  std::size_t best = kFar;
  std::string_view nearest;
  for (const std::string_view candidate : candidates) {
    const std::size_t found = candidate == word ? kFar : unlikeness(wanted, candidate);
    if (found < best) {
      best = found;
      nearest = candidate;
    }
  }
  return std::string(nearest);
}

std::string suggestion(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string nearest = did_you_mean(word, candidates);
  return nearest.empty() ? nearest : "did you mean " + quote_text(nearest) + "?";
}

}  // namespace gxr
