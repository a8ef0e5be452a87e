#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "dds/losses.hpp"
#include "dds/transport.hpp"
#include "gxr/driven_terms.hpp"

namespace gxr::dds {

/// Samples on their way from the threads of the library to the ticks of an entity, and a term that
/// lets the entity tick while there is one. Thread-safe.
class SampleQueue {
 public:
  struct Entry {
    Received sample;
    std::uint64_t lost = 0;  ///< of the same writer, before this one
  };

  /// `term` and `reader` must outlive its use, up to close(). Of `qualities`, the depth is that of
  /// samples that wait, of which the oldest goes for a new one; 0: all that come are kept, in the
  /// reader where there are too many. With exclusive ownership, a writer that takes over has not
  /// lost what it wrote before. `on_bad` hears of samples that are none, without the lock.
  using OnBad = std::function<void(const Received& sample)>;
  void open(AsynchronousSchedulingTerm& term, Reader& reader, const Qualities& qualities,
            OnBad on_bad);
  void close();

  /// Takes in what the reader has.
  void fill();
  /// No more samples are wanted.
  void end();
  /// The oldest whose lifespan has not passed at `now`, ns since 1970; none when there is none.
  /// Those that have passed count as dropped.
  std::optional<Entry> take(std::int64_t now);
  /// So many are missing before the next sample of that writer that take() gives, too.
  void add_to_next(const Guid& writer, std::uint64_t count);
  [[nodiscard]] Losses losses() const;

 private:
  /// Samples up to which it takes more from the reader.
  [[nodiscard]] std::size_t room() const;
  /// Samples that are destroyed or reported after the lock is released.
  struct Aside {
    std::vector<Entry> dropped;
    std::vector<Received> bad;
  };
  void fill_with_lock(Aside& aside);
  void add(Received&& sample, Aside& aside);
  void drop_oldest(Aside& aside);
  void add_to_next_with_lock(const Guid& writer, std::uint64_t count);
  void tell();
  void tell_of(const std::vector<Received>& bad) const;

  mutable std::mutex mutex_;  // guards what follows, and the reader
  AsynchronousSchedulingTerm* term_ = nullptr;
  Reader* reader_ = nullptr;
  std::size_t depth_ = 0;
  bool is_exclusive_ = false;
  Guid heard_{};            // the writer of the last sample
  bool more_wait_ = false;  // in the reader, maybe
  std::vector<Received> arrived_;
  std::deque<Entry> entries_;
  Losses losses_;
  bool ended_ = false;
  OnBad on_bad_;  // set while nothing comes
};

}  // namespace gxr::dds
