#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "executors/cuda_graph/input_account.hpp"
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
  /// The loop has been made for the shapes of messages that were held back for that.
  void give_held();
  /// Returns when copies to the loop are done.
  void finish();

  [[nodiscard]] InputAccount& account() noexcept { return account_; }
  [[nodiscard]] const InputAccount& account() const noexcept { return account_; }

  /// Fewer iterations are no news: without ports only the end is.
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

  /// Do messages wait for another loop?
  [[nodiscard]] bool holds() const noexcept { return !held_.empty(); }
  /// Messages that were held back until the end.
  [[nodiscard]] std::size_t left() const noexcept { return left_; }

  [[nodiscard]] static bool has_message(const Input& input);
  /// The next message of an input that has one.
  [[nodiscard]] Message take(std::size_t input);
  /// Gives the loop messages, by input. Those of other shapes wait until it is made for them.
  void offer(const std::vector<Message>& messages);

 private:
  [[nodiscard]] bool can_accept(std::size_t input, std::uint64_t finished) const;
  void give(const std::vector<Message>& messages);
  [[nodiscard]] bool put(std::size_t input, const Message& message);

  ResidentRunner& runner_;
  InputAccount account_;
  std::optional<LeasedStream> stream_;        // copies that the processor does not do
  std::vector<std::vector<Origin>> origins_;  // by input and place
  std::vector<Message> held_;                 // for which the loop is being made
  std::size_t left_ = 0;                      // of those, when it ended
};

}  // namespace gxr
