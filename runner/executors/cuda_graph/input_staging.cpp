#include "executors/cuda_graph/input_staging.hpp"

#include <utility>

#include "gxr/cuda/data.hpp"

namespace gxr {

InputStaging::InputStaging(const std::vector<void*>& buffers, Copy copy) : copy_(std::move(copy)) {
  for (void* const memory : buffers) {
    buffers_.push_back({memory, {}});
  }
}

void InputStaging::pass(const Message& message, const Tensor& from, void* to, DeviceStream& copies,
                        DeviceStream& graph) {
  Buffer& buffer = buffers_[next_];
  next_ = (next_ + 1) % buffers_.size();
  copies.wait_for(buffer.moved);
  copies.wait_for(cuda::work_behind(message));
  // Before the copy: should something fail behind it, the memory must not be used again, either.
  const_cast<Tensor&>(from).add_device_user(copies);
  copy_(buffer.memory, from.pointer(), from.size(), copies);
  graph.wait_for(copies.mark());
  copy_(to, buffer.memory, from.size(), graph);
  // At once: an event that is recorded for a later wait would be behind the iteration, too.
  buffer.moved = graph.mark();
  graph.record();
}

}  // namespace gxr
