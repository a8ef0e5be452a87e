#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "document/arena.hpp"
#include "document/yaml_source.hpp"
#include "document/yaml_tree.hpp"
#include "internal_api.hpp"

namespace gxr {

/// Stretches of YAML as they were read, for a text that an editor changes in one place after the
/// other: a stretch that did not change is copied, wherever it stands now, which takes a small part
/// of the time. For one thread.
class YamlCache {
 public:
  GXR_INTERNAL_API YamlCache();
  GXR_INTERNAL_API ~YamlCache();
  YamlCache(const YamlCache&) = delete;
  YamlCache& operator=(const YamlCache&) = delete;

  /// As parse_yaml(), with the same result.
  void read(const YamlStretch& stretch, Arena& arena, YamlTrees& result);
  /// Forgets the stretches that nothing has read since the last call.
  GXR_INTERNAL_API void forget_unread();
  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

 private:
  struct Entry;

  std::unordered_map<std::string_view, std::unique_ptr<Entry>> entries_;  // by their own texts
};

}  // namespace gxr
