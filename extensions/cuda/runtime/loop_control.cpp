#include "loop_control.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "cuda_call.hpp"
#include "device_guard.hpp"
#include "graph_kernels.hpp"
#include "loop_words.hpp"
#include "observe/chaos.hpp"

namespace gxr::cuda {

LoopControl::LoopControl(const LoopMemory& memory, const DeviceLoopOptions& options,
                         StreamRef stream)
    : memory_(memory),
      device_(options.device),
      parameters_(options.parameters),
      sleep_interval_(options.sleep_interval),
      stream_(stream) {}

void LoopControl::begin(std::uint64_t done, std::uint64_t limit, StreamRef stream) {
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream_));
  limit_ = limit;
  drains_ = false;
  LoopState begin{};
  begin.done = done;
  begin.limit = limit;
  begin.sleep_interval_ns = static_cast<std::uint64_t>(sleep_interval_.count());
  memory_.clear(begin, stream);
  if (done > 0) {
    launch_clock(&state()->began_ns, stream);  // the control kernels do it for the first
    cuda_check("cudaGetLastError", cudaGetLastError());
  }
  const LoopTable& table = memory_.table();
  shared(table.finished).store(done, std::memory_order_relaxed);
  shared(table.launch_error).store(0, std::memory_order_relaxed);
  shared(table.over).store(0, std::memory_order_relaxed);
  if (memory_.takes_any()) {
    clear_taken(stream);
  }
}

/// No input has been taken yet.
void LoopControl::clear_taken(StreamRef stream) const {
  std::memset(memory_.table().taken_log, 0,
              memory_.drives() * memory_.log_entries() * sizeof(std::uint64_t));
  memory_.clear_inputs(stream);
}

void LoopControl::set_limit(std::uint64_t limit) {
  const DeviceGuard guard(device_);
  limit_ = limit;
  if (drains_) {
    write_word(&state()->drains, 0, stream_);
    drains_ = false;
  }
  write_word(&state()->limit, limit, stream_);
}

void LoopControl::drain() {
  if (drains_) {
    return;
  }
  const DeviceGuard guard(device_);
  drains_ = true;
  write_word(&state()->drains, std::max<std::uint64_t>(limit_, 1), stream_);
  chaos();
  write_word(&state()->limit, 0, stream_);
}

void LoopControl::set_sleep_interval(std::chrono::nanoseconds interval) {
  sleep_interval_ = interval;
  const DeviceGuard guard(device_);
  write_word(&state()->sleep_interval_ns, static_cast<std::uint64_t>(interval.count()), stream_);
}

void LoopControl::set_parameters(const std::vector<std::byte>& bytes) {
  std::uint64_t* const sequence = memory_.parameter_sequence();
  if (sequence == nullptr) {
    return;
  }
  const DeviceGuard guard(device_);
  // Read again by the GPU when the number before and behind it is not the same even one.
  const std::uint64_t even = shared(sequence).load(std::memory_order_relaxed) + 2;
  shared(sequence).store(even - 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  chaos();
  write_parameters(bytes);
  shared(sequence).store(even, std::memory_order_release);
  write_word(const_cast<std::uint64_t*>(memory_.table().parameter_version), even, stream_);
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream_));
}

void LoopControl::write_parameters(const std::vector<std::byte>& bytes) const {
  const std::byte* from = bytes.data();
  std::byte* to = memory_.parameters();
  for (const DeviceRange& range : parameters_) {
    std::memcpy(to, from, range.bytes);
    from += range.bytes;
    to += aligned(range.bytes);
    chaos();
  }
}

std::uint64_t LoopControl::finished() const noexcept {
  return shared(memory_.table().finished).load(std::memory_order_acquire);
}

std::uint64_t LoopControl::heartbeat() const noexcept {
  return shared(memory_.table().heartbeat).load(std::memory_order_acquire);
}

std::uint64_t LoopControl::taken(std::size_t drive, std::uint64_t iterations) const noexcept {
  if (!memory_.takes_any() || iterations == 0) {
    return iterations;
  }
  const std::size_t entry = (iterations - 1) % memory_.log_entries();
  return shared(memory_.table().taken_log + entry * memory_.drives() + drive)
      .load(std::memory_order_relaxed);
}

cudaError_t LoopControl::launch_error() const noexcept {
  return static_cast<cudaError_t>(
      shared(memory_.table().launch_error).load(std::memory_order_acquire));
}

bool LoopControl::is_over() const noexcept {
  return shared(memory_.table().over).load(std::memory_order_acquire) != 0;
}

LoopState LoopControl::end_state(StreamRef stream) const {
  const DeviceGuard guard(device_);
  LoopState end{};
  cuda_check("cudaMemcpyAsync",
             cudaMemcpyAsync(&end, state(), sizeof end, cudaMemcpyDeviceToHost, stream));
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream));
  return end;
}

}  // namespace gxr::cuda
