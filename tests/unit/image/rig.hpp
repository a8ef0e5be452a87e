#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "gxr/gxr.hpp"
#include "sdk/engine_access.hpp"
#include "tests/unit/sdk/harness.hpp"

namespace gxr::image {

/// One operator "op/op" with a receiver `in`, a transmitter `out` that leads to a sink, and an
/// allocator `pool`. Messages must go before the rig.
class Rig {
 public:
  using Parameters = harness::Harness::Parameters;

  Rig() { EngineAccess::connect(out_, sink_); }

  template <class T>
  T& add(const Parameters& parameters) {
    T& result = harness_.add<T>("op/op", parameters);
    harness_.initialize();
    return result;
  }

  harness::Harness& harness() { return harness_; }

  /// A message with one tensor of these values.
  template <class T>
  Message picture(const Shape& shape, const std::vector<T>& values,
                  std::string_view name = "image") {
    Message message = harness_.new_message();
    Tensor& tensor = message.add<Tensor>(name);
    tensor.allocate<T>(pool_, shape);
    std::copy(values.begin(), values.end(), tensor.data<T>());
    return message;
  }

  /// Has the operator work on the message and returns what it published, or a null message.
  Message run(Codelet& codelet, Message message) {
    in_.push(std::move(message));
    return tick(codelet);
  }
  Message tick(Codelet& codelet, std::int64_t now = 0) {
    harness_.tick(codelet, now);
    sink_.sync();
    return sink_.pop();
  }

 private:
  harness::Harness harness_;
  DoubleBufferReceiver& in_ = harness_.add<DoubleBufferReceiver>("op/in");
  DoubleBufferTransmitter& out_ = harness_.add<DoubleBufferTransmitter>("op/out");
  UnboundedAllocator& pool_ = harness_.add<UnboundedAllocator>("op/pool");
  DoubleBufferReceiver& sink_ = harness_.add<DoubleBufferReceiver>("sink/in");
};

template <class T>
std::vector<T> values(const Tensor& tensor) {
  const T* data = tensor.data<T>();
  return {data, data + tensor.element_count()};
}

}  // namespace gxr::image
