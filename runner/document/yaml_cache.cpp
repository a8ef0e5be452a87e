#include "document/yaml_cache.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "document/yaml_parse.hpp"

namespace gxr {
namespace {

/// Copies a tree from one stretch to another one with the same text.
class TreeCopy {
 public:
  TreeCopy(std::string_view from, const YamlStretch& to, Arena& arena)
      : from_(from), to_(to), arena_(arena) {}

  const Value* copy(const Value& root) {
    const Value moved = move(root);
    return arena_.keep({&moved, 1});
  }

 private:
  // Not deeper than the parser lets a text be.
  // NOLINTNEXTLINE(misc-no-recursion)
  Value move(const Value& value) {
    const char* const tag = value.tag().empty() ? nullptr : arena_.keep(value.tag()).data();
    const Location where{value.location().line + to_.line - 1, value.location().column, to_.source};
    if (!value.is_sequence() && !value.is_map()) {
      return Value::make_scalar(value.kind(), move(value.text()), value.quoted(), where, tag);
    }
    const std::size_t count = value.is_map() ? 2 * value.size() : value.size();
    const std::size_t first = children_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Value child = move(value.is_sequence() ? value.at(i)
                               : i % 2 == 0        ? value.key(i / 2)
                                                   : value.value(i / 2));
      children_.push_back(child);
    }
    const Value* const kept = arena_.keep(std::span(children_).subspan(first));
    children_.resize(first);
    return Value::make_collection(value.kind(), kept, count, value.flow(), where, tag);
  }

  /// A text that stands in the stretch as it is meant needs no copy.
  std::string_view move(std::string_view text) {
    const std::less_equal<> is_before;
    const char* const end = from_.data() + from_.size();
    if (is_before(from_.data(), text.data()) && is_before(text.data() + text.size(), end)) {
      return to_.text.substr(static_cast<std::size_t>(text.data() - from_.data()), text.size());
    }
    return text.empty() ? std::string_view{} : arena_.keep(text);
  }

  const std::string_view from_;
  const YamlStretch& to_;
  Arena& arena_;
  std::vector<Value> children_;  // of collections that are being copied
};

}  // namespace

struct YamlCache::Entry {
  explicit Entry(std::string_view stretch) : text(stretch) {}

  const std::string text;
  Arena arena;
  std::vector<YamlTree> trees;
  bool read = true;  // since the last forget_unread()
};

YamlCache::YamlCache() = default;
YamlCache::~YamlCache() = default;

void YamlCache::read(const YamlStretch& stretch, Arena& arena, YamlTrees& result) {
  auto known = entries_.find(stretch.text);
  if (known == entries_.end()) {
    auto entry = std::make_unique<Entry>(stretch.text);
    YamlTrees read;
    parse_yaml({entry->text, 0, 1, 1, {}}, entry->arena, read);
    // A copy would follow aliases, and mistakes have places, too.
    if (!read.problems.empty() || std::ranges::any_of(read.trees, &YamlTree::alias_nodes)) {
      parse_yaml(stretch, arena, result);
      return;
    }
    entry->trees = std::move(read.trees);
    const std::string_view text = entry->text;
    known = entries_.emplace(text, std::move(entry)).first;
  }
  Entry& entry = *known->second;
  entry.read = true;
  TreeCopy copy(entry.text, stretch, arena);
  for (const YamlTree& tree : entry.trees) {
    YamlTree& added = result.trees.emplace_back(tree);
    added.root = copy.copy(*tree.root);
  }
}

void YamlCache::forget_unread() {
  std::erase_if(entries_, [](auto& known) { return !std::exchange(known.second->read, false); });
}

}  // namespace gxr
