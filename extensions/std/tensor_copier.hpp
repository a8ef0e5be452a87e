#pragma once

#include <cstdint>

#include "gxr/cuda/streams.hpp"
#include "gxr/gxr.hpp"

namespace gxr {

/// Brings all tensors of a message into one kind of memory and passes the message on.
class TensorCopier final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void tick() override;
  void stop() override;

 private:
  [[nodiscard]] bool stays(const Tensor& tensor) const;
  [[nodiscard]] bool is_on_other_device(const Tensor& tensor) const;
  [[nodiscard]] bool needs_device(const Message& message) const;
  void copy_all(Message& message);
  /// Gives the tensor memory of the allocator with the same content, shape and strides.
  Tensor copy(const Tensor& tensor);

  Input<> receiver_;
  Output<> transmitter_;
  Parameter<Handle<Allocator>> allocator_;
  Parameter<std::int32_t> mode_;
  cuda::Streams streams_;
  MemoryStorageType target_ = MemoryStorageType::System;
};

}  // namespace gxr
