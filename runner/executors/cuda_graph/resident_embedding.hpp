#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string_view>

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
  [[nodiscard]] GraphPort input(std::string_view port) const;
  [[nodiscard]] GraphPort output(std::string_view port) const;
  void tear_down(GraphStop how);
  void begin_tear_down(GraphStop how);
  void launch_again();
  void set_timeout(std::chrono::nanoseconds timeout);
  void set_sleep_interval(std::chrono::nanoseconds interval);

 private:
  void require_running() const;
  void require_torn_down();
  void ask_to_end(GraphStop how);
  void note_end_of_tear_down();
  [[nodiscard]] GraphPort port_of(TensorId tensor) const;
  void require_driven_by_program() const;
  void require_open() const;
  void wait_for_results(std::unique_lock<std::mutex>& lock);

  ResidentRunner& runner_;
  bool end_is_awaited_ = false;  // by a tear_down() behind begin_tear_down(); of runner_.mutex_
};

}  // namespace gxr
