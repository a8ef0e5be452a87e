#pragma once

#include <cstdint>

#include <nanobind/nanobind.h>

#include "gxr/tensor.hpp"

namespace gxr::python {

namespace nb = nanobind;

/// Device memory of a CUDA graph. It is there as long as the graph.
class DeviceTensor {
 public:
  DeviceTensor(const Tensor& tensor, int device);
  DeviceTensor(const void* pointer, const Shape& shape, ElementType type, int device);

  [[nodiscard]] const Tensor& tensor() const noexcept { return tensor_; }
  [[nodiscard]] int device() const noexcept { return device_; }
  [[nodiscard]] std::uintptr_t pointer() const noexcept {
    return reinterpret_cast<std::uintptr_t>(tensor_.pointer());
  }
  [[nodiscard]] nb::tuple shape() const;
  [[nodiscard]] nb::dict cuda_interface() const;
  [[nodiscard]] nb::object dlpack() const;

 private:
  Tensor tensor_;
  int device_;
};

/// Adds it to the module.
void bind_device_tensor(nb::module_& module);

}  // namespace gxr::python
