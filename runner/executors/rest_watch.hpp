#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// Hears from the executor of one rank whether it has anything to do, when several ranks run an
/// application together.
///
/// What another rank sends is an event: it notifies the executor, and then events() counts it. So
/// an executor that reads events() before it takes its notifications has been notified of all these
/// events.
class RestWatch {
 public:
  RestWatch() = default;
  RestWatch(const RestWatch&) = delete;
  RestWatch& operator=(const RestWatch&) = delete;
  virtual ~RestWatch() = default;

  /// Does the entity stand for another rank?
  [[nodiscard]] virtual bool is_end(EntityId entity) const noexcept = 0;
  /// The entities of other ranks, from which data may come here. As sources of data they have the
  /// numbers behind those of `own`, which are their places there. Before the run.
  [[nodiscard]] virtual std::vector<std::string> other_sources(
      const std::vector<LiveEntity>& own) = 0;
  /// Does any rank have a deadline for the age of data?
  [[nodiscard]] virtual bool checks_ages() const noexcept = 0;
  /// Events so far. Any thread.
  [[nodiscard]] virtual std::uint64_t events() const noexcept = 0;
  /// Looks for a while at what other ranks send, on the calling thread, which has nothing else to
  /// do: a thread that another one wakes comes 5 us later and more. True when something came; false
  /// as soon as `stop` is true, or after `most` ns. Behind false, another thread looks.
  virtual bool poll(const std::atomic<bool>& stop, std::int64_t most) = 0;
  /// Only a further event can give the executor something to do. Without effect when there was one
  /// since `events` were counted.
  virtual void rest(std::uint64_t events) noexcept = 0;
  /// The executor has found something to do.
  virtual void begin_work() noexcept = 0;
  /// How many of all entities with codelets have finished, when the run has ended by itself;
  /// without those that stand for other ranks.
  virtual void count_finished(std::size_t finished, std::size_t all) noexcept = 0;
};

}  // namespace gxr
