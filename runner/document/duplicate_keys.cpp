#include "document/duplicate_keys.hpp"

#include <functional>
#include <string_view>
#include <unordered_set>

#include "document/utf8.hpp"

namespace gxr {

namespace {

constexpr std::size_t kFewKeys = 12;

bool is_comparable(const Value& key) noexcept { return key.is_scalar() || key.is_null(); }

struct SameKey {
  bool operator()(const Value* a, const Value* b) const noexcept {
    return a->kind() == b->kind() && (a->is_null() || a->text() == b->text());
  }
};

struct HashKey {
  std::size_t operator()(const Value* key) const noexcept {
    return key->is_null() ? 0 : std::hash<std::string_view>{}(key->text());
  }
};

Diagnostic duplicate(const Value& first, const Value& second) {
  Diagnostic problem{
      DiagnosticCode::DuplicateKey, Severity::Error, {}, second.location(), 1, {}, {}};
  problem.length = underline_length(second);
  problem.text = "duplicate key " + quote_text(second.text());
  problem.hint = "a map has each key once; remove one of the two";
  problem.related.push_back({first.location(), "first written here"});
  return problem;
}

const Value* earlier_key(const Value& map, std::size_t index) noexcept {
  for (std::size_t i = 0; i < index; ++i) {
    if (is_comparable(map.key(i)) && SameKey{}(&map.key(i), &map.key(index))) {
      return &map.key(i);
    }
  }
  return nullptr;
}

void compare_few(const Value& map, std::vector<Diagnostic>& problems) {
  for (std::size_t i = 1; i < map.size(); ++i) {
    const Value* const first = is_comparable(map.key(i)) ? earlier_key(map, i) : nullptr;
    if (first != nullptr) {
      problems.push_back(duplicate(*first, map.key(i)));
    }
  }
}

void compare_many(const Value& map, std::vector<Diagnostic>& problems) {
  std::unordered_set<const Value*, HashKey, SameKey> seen(map.size());
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (!is_comparable(map.key(i))) {
      continue;
    }
    const auto [first, inserted] = seen.insert(&map.key(i));
    if (!inserted) {
      problems.push_back(duplicate(**first, map.key(i)));
    }
  }
}

}  // namespace

void find_duplicate_keys(const Value& map, std::vector<Diagnostic>& problems) {
  if (map.size() <= kFewKeys) {
    compare_few(map, problems);
  } else {
    compare_many(map, problems);
  }
}

}  // namespace gxr
