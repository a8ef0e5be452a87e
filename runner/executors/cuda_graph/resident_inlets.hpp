#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "executors/cuda_graph/input_account.hpp"
#include "executors/cuda_graph/late_inputs.hpp"
#include "executors/cuda_graph/resident_runner.hpp"

namespace gxr {

/// Gives messages to the loop, with what their results need to know of them.
class ResidentRunner::Inlets {
 public:
  explicit Inlets(ResidentRunner& runner) : runner_(runner) {}

  /// There is a loop.
  void open();
  /// Nothing of the loop runs any more.
  void close() noexcept;
  /// Nothing was given.
  void launch();
  /// Forgets messages that it would use again.
  void forget() noexcept { last_.clear(); }
  /// The loop has been made for the shapes of messages that were held back for that.
  void give_held();
  /// Returns when copies to the loop are done.
  void finish();

  [[nodiscard]] InputAccount& account() noexcept { return account_; }
  [[nodiscard]] const InputAccount& account() const noexcept { return account_; }

  /// Fewer iterations concern nobody: without ports only the end does.
  [[nodiscard]] std::uint64_t first_news() const noexcept;

  /// Without a loop: is there a message of each input, for which it is built?
  [[nodiscard]] bool has_first() const;
  void accept_first();
  /// Can an iteration begin with what has arrived?
  [[nodiscard]] bool can_accept(std::uint64_t finished) const;
  /// Gives the loop a message of each input that has one and room.
  void accept(std::uint64_t finished);
  /// Tells the loop of an iteration that the program asks for.
  void give_ring();
  /// The same of all that it was not told of.
  void give_rings();
  /// Does the loop stand since its inputs are still being made or copied?
  [[nodiscard]] bool awaits_copies(std::uint64_t finished);
  /// When the messages were made of which the next result is.
  [[nodiscard]] const Origin* origin_of_next(std::uint64_t fetched);

  // Inputs that have no message in time:

  /// Is a message to be dropped, or used again?
  [[nodiscard]] bool can_do_without(std::uint64_t finished) const;
  void do_without();
  /// Is something to be noted, or said, about them?
  [[nodiscard]] bool must_update_late(std::uint64_t finished) const;
  /// Throws Error(NotAvailable) when they are not to be late.
  void update_late(std::uint64_t finished);
  /// Will time tell more about messages that are there?
  [[nodiscard]] bool have_time() const { return late_ && late_->has_waiting(); }
  [[nodiscard]] std::uint64_t times_late() const { return late_ ? late_->times() : 0; }
  [[nodiscard]] std::uint64_t skipped() const noexcept { return skipped_; }
  /// Messages that were held back until the end.
  [[nodiscard]] std::size_t left() const noexcept { return left_; }

 private:
  [[nodiscard]] static bool has_message(const Input& input);
  [[nodiscard]] bool can_accept(std::size_t input, std::uint64_t finished) const;
  [[nodiscard]] Message take(std::size_t input);
  void offer(const std::vector<Message>& messages);
  void give(const std::vector<Message>& messages);
  [[nodiscard]] bool put(std::size_t input, const Message& message);
  [[nodiscard]] LateInputs::Seen seen(std::uint64_t finished) const;
  [[nodiscard]] bool must_fail(const LateInputs::Seen& seen,
                               LateInputs::Clock::time_point now) const;
  [[noreturn]] void fail_for_late() const;

  ResidentRunner& runner_;
  InputAccount account_;
  std::optional<LeasedStream> stream_;        // copies that the processor does not do
  std::vector<std::vector<Origin>> origins_;  // by input and place
  std::optional<LateInputs> late_;            // when inputs have a time to come
  std::vector<Message> last_;                 // by input, what it is held with
  std::vector<Message> held_;                 // for which the loop is being made
  std::size_t left_ = 0;                      // of those, when it ended
  std::uint64_t skipped_ = 0;                 // messages, since another input was late
};

}  // namespace gxr
