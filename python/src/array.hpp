#pragma once

#include <cstddef>

#include <nanobind/nanobind.h>

#include "gxr/message.hpp"
#include "gxr/tensor.hpp"

namespace gxr::python {

namespace nb = nanobind;

/// How many objects of Python refer to messages now. An application lives as long as there are
/// any, since their memory is its own. Read and written under Python's lock.
class LiveMessages {
 public:
  LiveMessages() noexcept { ++count_; }
  LiveMessages(const LiveMessages& /*other*/) noexcept { ++count_; }
  LiveMessages& operator=(const LiveMessages&) = default;
  ~LiveMessages();

  [[nodiscard]] static std::size_t count() noexcept { return count_; }
  /// Called when the last one goes.
  static void on_none(void (*function)()) noexcept { on_none_ = function; }

 private:
  static inline std::size_t count_ = 0;
  static inline void (*on_none_)() = nullptr;
};

/// A tensor of a message, as Python sees it: read-only, without a copy, by the buffer protocol and
/// by DLPack.
class TensorView {
 public:
  /// `tensor` is a part of `message`.
  TensorView(Message message, const Tensor& tensor, std::size_t part);

  [[nodiscard]] const Tensor& tensor() const noexcept { return *tensor_; }
  [[nodiscard]] const Message& message() const noexcept { return message_; }
  /// Its number in the message.
  [[nodiscard]] std::size_t part() const noexcept { return part_; }

  /// Slots of the buffer protocol.
  static int fill_buffer(PyObject* self, Py_buffer* buffer, int flags);

  /// A capsule for the consumer; `copy` is None, True or False, as DLPack says.
  nb::object to_dlpack(const nb::object& max_version, const nb::object& copy) const;
  /// Device type and number.
  [[nodiscard]] nb::tuple dlpack_device() const;

 private:
  LiveMessages live_;  // goes behind the message
  Message message_;
  const Tensor* tensor_;
  std::size_t part_;
  Py_ssize_t shape_[Shape::kMaxRank]{};
  Py_ssize_t strides_[Shape::kMaxRank]{};
};

/// Name of an element type in NumPy: "uint8"; throws Error(NotSupported) for custom elements.
const char* dtype_name(ElementType type);

/// The elements of an array of NumPy, of whatever else has the buffer protocol, or of an object
/// with __dlpack__, without a copy. The array is kept, and read-only, until the tensor goes. Throws
/// Error when it is none of these.
Tensor tensor_of(nb::handle array);

/// Adds TensorView to the module.
void bind_tensor(nb::module_& module);

}  // namespace gxr::python
