#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "executors/cuda_graph/resident_runner.hpp"
#include "executors/cuda_graph/result_account.hpp"

namespace gxr {

/// Takes results from the loop, and publishes them.
class ResidentRunner::Outlets {
 public:
  explicit Outlets(ResidentRunner& runner);
  ~Outlets();

  /// Finds out where those that receive results want them.
  void connect();
  /// There is a loop.
  void open();
  /// Nothing of the loop runs any more.
  void close() noexcept;
  /// No result was made.
  void launch();
  /// Forgets what was fetched and not published.
  void forget() noexcept { next_.reset(); }
  /// Other shapes may be copied in another way.
  void note_shapes() { copies_ahead_ = may_copy_ahead(); }
  /// Returns when copies from the loop are done.
  void finish();

  [[nodiscard]] const ResultAccount& account() const noexcept { return account_; }

  /// Publishes the results of an iteration, which must be there.
  void publish();
  /// Begins to copy the next result for consumers on the CPU that wait for copies, if it is there.
  void copy_ahead();
  /// Does the loop stand since an old result is still being copied?
  [[nodiscard]] bool awaits_room(std::uint64_t finished);
  /// Has the copies that were begun end. False: they do not.
  [[nodiscard]] bool finish_on_host();

 private:
  class PinnedMemory;
  struct Results {
    std::optional<Origin> origin;
    std::vector<Message> messages;  // by output
  };

  [[nodiscard]] bool may_copy_ahead() const;
  [[nodiscard]] Results fetch_next();
  [[nodiscard]] Message fetch(std::size_t output, const Origin* origin);

  ResidentRunner& runner_;
  ResultAccount account_;
  std::unique_ptr<PinnedMemory> pinned_;
  std::vector<bool> on_device_;         // by output: where messages have their tensors
  std::optional<LeasedStream> stream_;  // copies that the processor does not do
  bool copies_ahead_ = false;           // the next one is fetched while one is waited for
  std::optional<Results> next_;
};

}  // namespace gxr
