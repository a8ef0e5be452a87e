#include "loop_ports.hpp"

#include <atomic>
#include <cstring>

#include "device_guard.hpp"
#include "loop_words.hpp"
#include "observe/chaos.hpp"
#include "runtime.hpp"

namespace gxr::cuda {
namespace {

constexpr std::uint64_t kAllTaken = std::uint64_t{1} << 63;

}  // namespace

LoopPorts::LoopPorts(const LoopMemory& memory, const LaunchedBodies& launched,
                     const DeviceLoopOptions& options, StreamRef stream)
    : device_(options.device),
      slots_(options.slots),
      finished_(memory.table().finished),
      launched_(launched),
      stream_(stream) {
  for (const LoopPort& input : memory.inputs()) {
    inputs_.push_back({input});
  }
  for (const LoopPort& output : memory.outputs()) {
    outputs_.push_back({output});
  }
}

void LoopPorts::begin(std::uint64_t done, StreamRef stream) {
  for (auto* ports : {&inputs_, &outputs_}) {
    for (Port& port : *ports) {
      port.count = done;
      port.is_counted_by_stream = false;
      if (port.at.is_small) {
        shared(port.at.word).store(done, std::memory_order_relaxed);
      } else if (done > 0) {
        write_word(port.at.word, done, stream);
      }
    }
  }
}

std::byte* LoopPorts::slot(const Port& port) const noexcept {
  return port.at.slots + port.count % slots_ * port.at.stride;
}

/// Are all iterations done that were given a tensor of a large input? Then nothing uses the port's
/// tensor, and will not before the next one is put; but launched bodies may still read it.
bool LoopPorts::is_free(const Port& input) const noexcept {
  return input.at.placed != nullptr && launched_.empty() &&
         shared(finished_).load(std::memory_order_acquire) == input.count;
}

bool LoopPorts::put(std::size_t input, const void* data, bool readable, DeviceStream& stream) {
  Port& port = inputs_.at(input);
  if (port.at.is_small) {
    return !pass_small(port, slot(port), data, readable, stream);
  }
  put_large(port, data, stream);
  return false;
}

void LoopPorts::put_large(Port& port, const void* data, DeviceStream& stream) const {
  const DeviceGuard guard(device_);
  const std::uint64_t count = port.count + 1;
  if (is_free(port)) {
    runtime().copy(port.at.port.tensor, data, port.at.port.bytes, stream);
    chaos();
    write_words({{{port.at.placed, count}, {port.at.word, count}}}, stream.handle());
  } else {
    runtime().copy(slot(port), data, port.at.port.bytes, stream);
    chaos();
    write_word(port.at.word, count, stream.handle());
  }
  chaos();
  port.count = count;
}

DeviceWork LoopPorts::take(std::size_t output, void* to, bool writable, DeviceStream& stream) {
  Port& port = outputs_.at(output);
  if (!port.at.is_small) {
    return take_large(port, to, stream);
  }
  const DeviceWork copied = pass_small(port, to, slot(port), writable, stream);
  if (copied) {
    stream.record();
  }
  return copied;
}

DeviceWork LoopPorts::take_large(Port& port, void* to, DeviceStream& stream) const {
  const DeviceGuard guard(device_);
  runtime().copy(to, slot(port), port.at.port.bytes, stream);
  // In front of the number: those that wait for the copy need not wait for that.
  const DeviceWork copied = stream.mark();
  stream.record();
  chaos();
  write_word(port.at.word, port.count + 1, stream.handle());
  chaos();
  ++port.count;
  return copied;
}

/// Copies a small input or output and counts it. Returns the work of `stream` that copies it; none:
/// that has been done.
DeviceWork LoopPorts::pass_small(Port& port, void* to, const void* from, bool by_processor,
                                 DeviceStream& stream) const {
  DeviceWork copied;
  if (by_processor && port.at.port.bytes > 0) {
    std::memcpy(to, from, port.at.port.bytes);
  } else if (port.at.port.bytes > 0) {
    const DeviceGuard guard(device_);
    runtime().copy(to, from, port.at.port.bytes, stream);
    copied = stream.mark();
    port.is_counted_by_stream = true;
  }
  count_small(port, stream);
  return copied;
}

/// The processor writes the numbers of a port until a stream writes the first: a number that it
/// wrote afterwards could be overtaken by an older one.
void LoopPorts::count_small(Port& port, DeviceStream& stream) const {
  const std::uint64_t count = port.count + 1;
  chaos();
  if (port.is_counted_by_stream) {
    const DeviceGuard guard(device_);
    write_word(port.at.word, count, stream.handle());
  } else {
    shared(port.at.word).store(count, std::memory_order_release);
  }
  chaos();
  port.count = count;
}

void LoopPorts::drop_results() {
  const DeviceGuard guard(device_);
  for (const Port& port : outputs_) {
    if (port.at.is_small && !port.is_counted_by_stream) {
      shared(port.at.word).store(kAllTaken, std::memory_order_release);
    } else {
      write_word(port.at.word, kAllTaken, stream_);
    }
  }
}

}  // namespace gxr::cuda
