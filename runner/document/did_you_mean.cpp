#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "document/diagnostics.hpp"
#include "document/number_text.hpp"
#include "document/utf8.hpp"
#include "gxr/plain_text.hpp"

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

std::string_view first_word(std::string_view text) { return text.substr(0, text.find('_')); }

std::string_view last_word(std::string_view text) {
  const std::size_t underscore = text.rfind('_');
  return underscore == std::string_view::npos ? text : text.substr(underscore + 1);
}

/// Words of a name that are right excuse no mistakes in the others: a worker_thread_number is not
/// what somebody means by worker_thread_name_id. Words that are missing may be meant.
bool have_unlike_words(std::string_view a, std::string_view b) {
  const std::size_t length = a.size();
  while (!a.empty() && !b.empty() && first_word(a) == first_word(b)) {
    const std::size_t size = first_word(a).size() + 1;
    a.remove_prefix(std::min(size, a.size()));
    b.remove_prefix(std::min(size, b.size()));
  }
  while (!a.empty() && !b.empty() && last_word(a) == last_word(b)) {
    const std::size_t size = last_word(a).size() + 1;
    a.remove_suffix(std::min(size, a.size()));
    b.remove_suffix(std::min(size, b.size()));
  }
  const bool some_are_right = a.size() < length;
  return some_are_right && !a.empty() && !b.empty() && bounded_distance(a, b) == kFar;
}

using Opposite = std::pair<std::string_view, std::string_view>;

/// Words that are near in letters, alone or within a name, and say the reverse.
constexpr Opposite kOpposites[] = {
    {"add", "sub"},        {"add", "subtract"},  {"mul", "div"},    {"multiply", "divide"},
    {"inc", "dec"},        {"enc", "dec"},       {"min", "max"},    {"minimum", "maximum"},
    {"tx", "rx"},          {"send", "receive"},  {"in", "out"},     {"input", "output"},
    {"read", "write"},     {"source", "sink"},   {"push", "pop"},   {"start", "stop"},
    {"begin", "end"},      {"first", "last"},    {"open", "close"}, {"enable", "disable"},
    {"allow", "deny"},     {"on", "off"},        {"up", "down"},    {"left", "right"},
    {"top", "bottom"},     {"upper", "lower"},   {"high", "low"},   {"above", "below"},
    {"before", "after"},   {"asc", "desc"},      {"even", "odd"},   {"join", "split"},
    {"gather", "scatter"}, {"record", "replay"},
};

/// Before a word they say the reverse of it: undistort, demosaic.
constexpr std::string_view kReversing[] = {"un", "de", "dis", "non", "no_", "not_"};

/// Does `a` become `b` when one `from` in it becomes `to`?
bool differ_by(std::string_view a, std::string_view b, std::string_view from, std::string_view to) {
  if (a.size() + to.size() != b.size() + from.size()) {
    return false;
  }
  for (std::size_t at = a.find(from); at != std::string_view::npos; at = a.find(from, at + 1)) {
    if (a.substr(0, at) == b.substr(0, at) && b.substr(at, to.size()) == to &&
        a.substr(at + from.size()) == b.substr(at + to.size())) {
      return true;
    }
  }
  return false;
}

bool reverses(std::string_view a, std::string_view b) {
  return std::ranges::any_of(kReversing, [&](std::string_view prefix) {
    return a.size() == prefix.size() + b.size() && a.starts_with(prefix) && a.ends_with(b);
  });
}

/// Nobody who writes one of two opposites means the other.
bool are_opposites(std::string_view a, std::string_view b) {
  return reverses(a, b) || reverses(b, a) ||
         std::ranges::any_of(kOpposites, [&](const Opposite& words) {
           return differ_by(a, b, words.first, words.second) ||
                  differ_by(a, b, words.second, words.first);
         });
}

std::vector<std::string_view> segments(std::string_view space) {
  std::vector<std::string_view> parts;
  while (!space.empty()) {
    const std::size_t colons = space.find("::");
    parts.push_back(space.substr(0, colons));
    space.remove_prefix(colons == std::string_view::npos ? space.size() : colons + 2);
  }
  return parts;
}

enum class SpaceRelation : std::uint8_t {
  Same,    ///< or the word has none
  Typo,    ///< the other one, misspelt
  Within,  ///< one is in the other
  Other,
};

SpaceRelation relation(std::string_view a, std::string_view b) {
  if (a == b || a.empty()) {
    return SpaceRelation::Same;
  }
  const std::vector<std::string_view> of_a = segments(a);
  const std::vector<std::string_view> of_b = segments(b);
  const std::size_t common = std::min(of_a.size(), of_b.size());
  bool same = true;
  bool near = of_a.size() == of_b.size();
  for (std::size_t i = 0; i < common; ++i) {
    same = same && of_a[i] == of_b[i];
    near = near && bounded_distance(of_a[i], of_b[i]) != kFar;
  }
  return near ? SpaceRelation::Typo : same ? SpaceRelation::Within : SpaceRelation::Other;
}

/// Names of types are long and of few words, so two of one length are soon alike: one mistake in
/// five characters. In another namespace only the very name is meant.
std::size_t tolerated_in_type(std::size_t length, SpaceRelation spaces) {
  switch (spaces) {
    case SpaceRelation::Same:
    case SpaceRelation::Typo:
      return std::max<std::size_t>(length / 5, length > 2 ? 1 : 0);
    case SpaceRelation::Within:
    case SpaceRelation::Other:
      return 0;
  }
  return 0;
}

/// The same letters in another order, such as rezise: a single mistake for who wrote it.
bool is_mixed_up(std::string_view a, std::string_view b, std::size_t distance) {
  std::string of_a(a);
  std::string of_b(b);
  std::ranges::sort(of_a);
  std::ranges::sort(of_b);
  return distance <= 2 && of_a == of_b;
}

/// How unlike two words are, smaller is nearer: mistakes in the name weigh more than the namespace.
std::size_t unlikeness(const std::string& word, std::string_view candidate) {
  const std::string other = lower_case(candidate);
  const QualifiedName a = split_namespace(word);
  const QualifiedName b = split_namespace(other);
  const std::size_t distance = bounded_distance(a.name, b.name);
  if (distance == kFar || have_unlike_words(a.name, b.name) || are_opposites(a.name, b.name)) {
    return kFar;
  }
  if (a.space.empty() && b.space.empty()) {
    return distance * 3;
  }
  const SpaceRelation spaces = relation(a.space, b.space);
  const bool near = distance <= tolerated_in_type(std::max(a.name.size(), b.name.size()), spaces) ||
                    (spaces <= SpaceRelation::Typo && is_mixed_up(a.name, b.name, distance));
  if (spaces == SpaceRelation::Other || !near) {
    return kFar;
  }
  return distance * 3 + static_cast<std::size_t>(spaces);
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
