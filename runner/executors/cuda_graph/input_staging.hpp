#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "gxr/device_work.hpp"
#include "gxr/message.hpp"
#include "gxr/tensor.hpp"

namespace gxr {

/// The staging buffers of one input of a graph that the host launches. A copy engine brings the
/// tensors of messages from host memory to them, on a stream of its own, while the graph works on
/// earlier ones; the graph's stream then moves them to where the graph reads. The host waits for
/// none of it. A graph that read the buffers themselves would have to be instantiated once for
/// each, with as many updates and memory nodes; the move within the device is short.
///
/// Used by the ticks of one codelet.
class InputStaging {
 public:
  /// Copies in the order of a stream, as DeviceRuntime::copy() does.
  using Copy =
      std::function<void(void* to, const void* from, std::size_t bytes, DeviceStream& stream)>;
  /// `buffers`: at least one, of device memory; as large as the input, and there until the work of
  /// both streams is done.
  InputStaging(const std::vector<void*>& buffers, Copy copy);

  /// Has `copies` copy `from`, which is the tensor of `message` and in host memory, when the
  /// message's own device work is done and the buffer is free again; and `graph` move it to `to`
  /// before the work that it is given next. The tensor's memory is used again only after the copy.
  void pass(const Message& message, const Tensor& from, void* to, DeviceStream& copies,
            DeviceStream& graph);

 private:
  struct Buffer {
    void* memory = nullptr;
    DeviceWork moved;  ///< out of it, the last time
  };
  std::vector<Buffer> buffers_;
  Copy copy_;
  std::size_t next_ = 0;
};

}  // namespace gxr
