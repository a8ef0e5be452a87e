#include "document/duplicate_keys.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_set>
#include <utility>

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

Diagnostic duplicate(const Value& first, const Value& second, const char* hint) {
  Diagnostic problem{
      DiagnosticCode::DuplicateKey, Severity::Error, {}, second.location(), 1, {}, {}};
  problem.length = underline_length(second);
  problem.text = "duplicate key " + quote_text(second.text());
  problem.hint = hint;
  problem.related.push_back({first.location(), "first written here"});
  return problem;
}

/// Two keys of one map that are the same.
struct Repetition {
  const Value* first;
  const Value* second;
};

const Value* earlier_key(const Value& map, std::size_t index) noexcept {
  for (std::size_t i = 0; i < index; ++i) {
    if (is_comparable(map.key(i)) && SameKey{}(&map.key(i), &map.key(index))) {
      return &map.key(i);
    }
  }
  return nullptr;
}

std::vector<Repetition> compare_few(const Value& map) {
  std::vector<Repetition> found;
  for (std::size_t i = 1; i < map.size(); ++i) {
    const Value* const first = is_comparable(map.key(i)) ? earlier_key(map, i) : nullptr;
    if (first != nullptr) {
      found.push_back({first, &map.key(i)});
    }
  }
  return found;
}

std::vector<Repetition> compare_many(const Value& map) {
  std::vector<Repetition> found;
  std::unordered_set<const Value*, HashKey, SameKey> seen(map.size());
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (!is_comparable(map.key(i))) {
      continue;
    }
    const auto [first, inserted] = seen.insert(&map.key(i));
    if (!inserted) {
      found.push_back({*first, &map.key(i)});
    }
  }
  return found;
}

bool begins_document(std::string_view key) {
  return key == "name" || key == "components" || key == "operator";
}

bool begins_component(std::string_view key) {
  return key == "name" || key == "type" || key == "parameters";
}

/// Keys of documents or of components that are written twice come from a separator that is missing
/// in front of the first of them. They are one problem, and so are all other keys of the document.
class SeparatorSearch {
 public:
  explicit SeparatorSearch(const Value& map) {
    for (std::size_t i = 0; i < map.size(); ++i) {
      const std::string_view key = map.key(i).text();
      document_ = document_ || key == "components" || key == "operator";
      component_ = component_ || key == "type";
    }
  }

  /// Is it part of the problem before?
  bool belongs_to_last(std::string_view key) {
    const bool follows = !keys_.empty() && (document_ || is_of_separator(key));
    if (follows && std::ranges::find(keys_, key) == keys_.end()) {
      keys_.push_back(key);
      return true;
    }
    if (is_of_separator(key)) {
      keys_.assign(1, key);  // a second or third document or component
    }
    return false;
  }

  [[nodiscard]] const char* hint(std::string_view key) const {
    if (!is_of_separator(key)) {
      return "a map has each key once; remove one of the two";
    }
    return document_ ? "a map has each key once; if a new entity begins here, write '---' in a "
                       "line of its own before it"
                     : "a map has each key once; if a new component begins here, write '- ' in "
                       "front of it";
  }

 private:
  [[nodiscard]] bool is_of_separator(std::string_view key) const {
    return document_ ? begins_document(key) : component_ && begins_component(key);
  }

  bool document_ = false;
  bool component_ = false;
  std::vector<std::string_view> keys_;  // that the last such problem stands for
};

/// Does a second document begin at one of the keys?
bool lacks_separator(const Value& map) {
  bool document = false;
  bool twice = false;
  std::vector<std::string_view> seen;
  for (std::size_t i = 0; i < map.size(); ++i) {
    const std::string_view key = map.key(i).text();
    document = document || key == "components" || key == "operator";
    if (begins_document(key)) {
      twice = twice || std::ranges::find(seen, key) != seen.end();
      seen.push_back(key);
    }
  }
  return document && twice;
}

}  // namespace

std::vector<Value> split_documents_without_separator(const Value& map) {
  if (!map.is_map() || !lacks_separator(map)) {
    return {map};
  }
  std::vector<Value> documents;
  std::vector<std::string_view> seen;
  std::size_t begin = 0;
  const auto cut = [&](std::size_t end) {
    documents.push_back(Value::make_collection(ValueKind::Map, &map.key(begin), 2 * (end - begin),
                                               false, map.key(begin).location()));
    begin = end;
    seen.clear();
  };
  for (std::size_t i = 0; i < map.size(); ++i) {
    const std::string_view key = map.key(i).text();
    if (!begins_document(key)) {
      continue;
    }
    if (std::ranges::find(seen, key) != seen.end()) {
      cut(i);
    }
    seen.push_back(key);
  }
  cut(map.size());
  return documents;
}

void find_duplicate_keys(const Value& map, std::vector<Diagnostic>& problems) {
  const std::vector<Repetition> found =
      map.size() <= kFewKeys ? compare_few(map) : compare_many(map);
  if (found.empty()) {
    return;
  }
  SeparatorSearch separators(map);
  for (const Repetition& keys : found) {
    const std::string_view key = keys.second->text();
    if (!separators.belongs_to_last(key)) {
      problems.push_back(duplicate(*keys.first, *keys.second, separators.hint(key)));
    }
  }
}

}  // namespace gxr
