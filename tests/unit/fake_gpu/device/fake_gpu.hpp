#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>

#include "gxr/device_work.hpp"
#include "gxr/graph_operator.hpp"

// A device that is a few threads: streams are queues, device memory is memory of the process, a
// graph runs its nodes one after the other, and a loop is a thread. It is a tool for the logic of
// the executors (sessions, edits, faults, watchdogs, ends), also under AddressSanitizer and
// ThreadSanitizer, and says nothing about CUDA. Its library has the place of libgxr_cuda.so.

namespace gxr::fake {

using Kernel = std::function<void()>;

/// Puts a kernel on a stream: of a capture, or one of the device's. From a kernel that throws
/// anything on, the device has failed.
void launch(CUstream_st* stream, Kernel kernel);

/// In a kernel of a graph or a loop: the traits that its node was given. Elsewhere: the defaults.
[[nodiscard]] const GraphTraits& traits_of_node();

/// The device is a new one: it has not failed, and no work was given up. Nothing runs on it.
void replace_device();
/// Nodes that may run at the same time do so one after the other, in an order by chance; and
/// kernels begin late now and then.
void set_seed(std::uint64_t seed);
/// Blocks of the device's and of page-locked memory that are in use.
[[nodiscard]] std::size_t blocks_in_use();
/// Pools give no larger blocks; 0: they do.
void set_largest_block(std::size_t bytes);
/// So many devices are counted; 1 until then. All are the same threads.
void set_devices(int count);
/// Waits until nothing runs any more, also of what was given up.
void settle();

/// Kernels wait here until it is opened.
class Gate {
 public:
  void wait() {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [&] { return open_; });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    opened_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = false;
};

}  // namespace gxr::fake
