#pragma once

#include <cstdint>
#include <vector>

#include "executors/cuda_graph/input_account.hpp"

namespace gxr {

/// The results of a loop since its launch: fetched, then published, the same numbers for all
/// outputs. Numbers only; those of finished iterations are passed in.
class ResultAccount {
 public:
  ResultAccount() = default;
  /// `has_outputs`: else nothing is ever published, and iterations need no room.
  ResultAccount(bool has_outputs, std::uint64_t slots);

  /// Forgets all.
  void launch();
  [[nodiscard]] bool has_any() const noexcept { return has_outputs_; }
  [[nodiscard]] std::uint64_t fetched() const noexcept { return fetched_; }
  [[nodiscard]] std::uint64_t published() const noexcept { return published_; }
  /// The results of the next iteration were fetched. `work`: of a stream, which still copies them,
  /// or 0.
  void fetch(std::uint64_t work) noexcept;
  void publish() noexcept { ++published_; }

  /// Is a result there that was not published?
  [[nodiscard]] bool can_publish(std::uint64_t finished) const noexcept {
    return unpublished(finished) > 0;
  }
  /// Have all results been published?
  [[nodiscard]] bool has_all(std::uint64_t finished) const noexcept {
    return !has_outputs_ || published_ == finished;
  }
  [[nodiscard]] std::uint64_t unpublished(std::uint64_t finished) const noexcept {
    return has_outputs_ && finished > published_ ? finished - published_ : 0;
  }
  /// Iterations for whose results there is room.
  [[nodiscard]] std::uint64_t has_room_until() const noexcept {
    return has_outputs_ ? fetched_ + slots_ : kEndless;
  }
  /// The work of a stream for whose end the next iteration waits, to write where an old result was;
  /// 0: there is none.
  [[nodiscard]] std::uint64_t work_before_room(std::uint64_t finished) const noexcept;

 private:
  bool has_outputs_ = false;
  std::uint64_t slots_ = 2;
  std::uint64_t fetched_ = 0;
  std::uint64_t published_ = 0;
  std::vector<std::uint64_t> works_;  // of the last fetched results, a ring
};

}  // namespace gxr
