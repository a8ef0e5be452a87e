#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace gxr {

/// As a number of iterations: never.
inline constexpr std::uint64_t kEndless = std::numeric_limits<std::uint64_t>::max();

/// When a loop begins an iteration.
struct LoopRules {
  std::size_t inputs = 0;
  std::size_t handlers = 0;  ///< by which the GPU finds inputs itself
  bool any = false;          ///< one input or handler is enough; else all are needed
  bool host_driven = false;  ///< a program asks for each iteration
  std::uint64_t slots = 2;   ///< of each input
  std::size_t timestamp_from = 0;
};

/// The inputs that a loop was given since its launch, and has taken: numbers only. The count
/// of finished iterations is passed in, because it grows by itself.
class InputAccount {
 public:
  /// How many of an input iterations had taken when so many were done.
  using Taken = std::function<std::uint64_t(std::size_t input, std::uint64_t finished)>;
  /// A message of an input, with its place in a ring that has remembered() of them.
  struct Given {
    std::size_t input = 0;
    std::size_t place = 0;
    bool operator==(const Given&) const = default;
  };

  InputAccount() = default;
  /// `taken` is asked only with LoopRules::any; else each iteration takes one of each input.
  InputAccount(const LoopRules& rules, Taken taken);

  /// Forgets all: a launch for so many iterations at most.
  void launch(std::uint64_t limit);
  [[nodiscard]] std::uint64_t limit() const noexcept { return limit_; }
  /// The loop has ended: there will be no more iterations than these.
  void end_at(std::uint64_t finished) noexcept;

  /// Is there room for a message of this input?
  [[nodiscard]] bool has_room(std::size_t input, std::uint64_t finished) const;
  /// May an iteration begin with a message of each input that is `offered`, and has room?
  [[nodiscard]] bool is_enough(std::size_t offered) const noexcept {
    return rules_.any ? offered > 0 : offered == rules_.inputs && rules_.inputs > 0;
  }
  /// How many messages of one are remembered: all that the loop may have, and whose results may be
  /// awaited.
  [[nodiscard]] std::size_t remembered() const noexcept { return 2 * rules_.slots + 1; }
  /// Where the next message of an input is remembered.
  [[nodiscard]] std::size_t next_place(std::size_t input) const noexcept {
    return place_of(given_[input].count);
  }
  /// The loop has it. `is_read`: at once; else the work of a stream copies it, which `mark`
  /// numbers, as it does with all after it.
  void give(std::size_t input, bool is_read, const std::function<std::uint64_t()>& mark);
  [[nodiscard]] std::uint64_t count(std::size_t input) const { return given_[input].count; }
  /// The message that the results of the next iteration are of, `fetched` being the iterations
  /// whose results were fetched before: that of LoopRules::timestamp_from, or, if this input has
  /// nothing new, the first other's. Nothing: no input has. Says so once, in order.
  [[nodiscard]] std::optional<Given> origin_of_next(std::uint64_t fetched);

  /// The program asks for an iteration.
  void ring() noexcept { ++rung_; }
  [[nodiscard]] std::uint64_t rung() const noexcept { return rung_; }
  /// Of those, what the loop was not told yet; one call tells it of one.
  [[nodiscard]] bool has_untold() const noexcept { return told_ < rung_; }
  void tell() noexcept { ++told_; }

  /// Iterations that all of which is given makes; of a loop that the host drives.
  [[nodiscard]] std::uint64_t iterations_given() const;
  /// The same, without those that the loop was not told of.
  [[nodiscard]] std::uint64_t iterations_told() const;
  /// Iterations for which the loop may have work, when so many are done: with more, it has none.
  /// Not below `finished`.
  [[nodiscard]] std::uint64_t works_until(std::uint64_t finished) const;
  /// Does the loop stand since inputs that it was given are still being copied? `is_done`: whether
  /// the stream's work of a number is.
  [[nodiscard]] bool awaits_copies(std::uint64_t finished,
                                   const std::function<bool(std::uint64_t)>& is_done) const;

 private:
  struct Of {
    std::uint64_t count = 0;
    std::uint64_t shown = 0;  // of them, those that results were fetched of
    bool is_copied_by_stream = false;
    std::vector<std::uint64_t> copied;  // a ring: the work that copies it; 0: it is done
  };

  [[nodiscard]] std::uint64_t taken(std::size_t input, std::uint64_t finished) const {
    return rules_.any ? taken_(input, finished) : finished;
  }
  [[nodiscard]] std::size_t place_of(std::uint64_t number) const noexcept {
    return static_cast<std::size_t>(number % remembered());
  }

  LoopRules rules_;
  Taken taken_;
  std::vector<Of> given_;  // by input
  std::uint64_t limit_ = kEndless;
  std::uint64_t rung_ = 0;
  std::uint64_t told_ = 0;
};

}  // namespace gxr
