#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "executors/tensor_preview.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// A message that passed a transmitter, made small.
struct QueuePreview {
  std::string queue;  ///< "entity/component"
  Preview preview;
};

/// The last messages that an entity sent, as far as somebody looked.
struct EntityPreviews {
  std::uint64_t tick = 0;  ///< of the entity, from 1; 0: nothing was taken yet
  std::vector<QueuePreview> queues;
};

/// Previews of what entities send. They are taken only while somebody asks: twice a second at most,
/// and less often if one takes more than 2 ms, so that they take 0.5 % of the time; but at
/// least every 5 s.
class Previews {
 public:
  explicit Previews(const Instance& instance);

  /// Asks for previews of an entity in the next seconds, and returns the last ones. `index`: in
  /// Instance::entities(). Any thread.
  EntityPreviews ask(std::size_t index);
  /// Does anybody want previews of this entity?
  [[nodiscard]] bool is_wanted(std::size_t index) const noexcept {
    return due_[index].load(std::memory_order_relaxed) != kNever;
  }
  /// Takes previews, if it is time, of what the entity's tick has left in its transmitters. By the
  /// thread of the tick.
  void take(std::size_t index) noexcept;

 private:
  static constexpr std::int64_t kNever = INT64_MAX;

  const Instance& instance_;
  // Of the next previews, by entity, steady ns.
  const std::unique_ptr<std::atomic<std::int64_t>[]> due_;
  std::mutex mutex_;  // guards the members below
  struct Wanted {
    std::int64_t until = 0;  // steady ns
    EntityPreviews last;
  };
  std::map<std::size_t, Wanted> wanted_;
};

}  // namespace gxr
