#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

#include "executors/cuda_graph/resident_runner.hpp"

namespace gxr {

/// The calls of a program that embeds the application, on its own threads; see
/// ResidentGraph. While the program may call this there is a loop.
class ResidentRunner::Embedding {
 public:
  explicit Embedding(ResidentRunner& runner) : runner_(runner) {}

  [[nodiscard]] bool is_launched();
  void ring();
  [[nodiscard]] bool has_all_results();
  [[nodiscard]] std::uint64_t results();
  void tear_down(GraphStop how);
  void launch_again();
  void set_timeout(std::chrono::nanoseconds timeout);
  void set_sleep_interval(std::chrono::nanoseconds interval);

 private:
  void require_running() const;
  void require_torn_down() const;
  void require_open() const;
  void wait_for_results(std::unique_lock<std::mutex>& lock);

  ResidentRunner& runner_;
};

}  // namespace gxr
