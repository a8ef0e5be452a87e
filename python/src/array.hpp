#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include <nanobind/nanobind.h>

#include "gxr/component.hpp"
#include "gxr/message.hpp"
#include "gxr/tensor.hpp"

namespace gxr::python {

namespace nb = nanobind;

/// How many objects of Python refer to messages of one application, whose memory they are: it lives
/// as long as there are any. Read and written under Python's lock.
class Holders {
 public:
  /// Those of the application with this context; null: of none.
  static Holders of(const Context* context);
  /// Of all applications together.
  [[nodiscard]] static std::size_t all() noexcept;
  /// Called when the last one of an application goes.
  static void on_none(void (*function)()) noexcept;

  Holders() = default;
  [[nodiscard]] std::size_t count() const noexcept { return count_ != nullptr ? *count_ : 0; }

 private:
  friend class Holder;

  std::shared_ptr<std::size_t> count_;
};

/// One such object.
class Holder {
 public:
  explicit Holder(Holders holders) noexcept;
  Holder(const Holder& other) noexcept : Holder(other.holders_) {}
  Holder& operator=(const Holder&) = delete;
  ~Holder();

  [[nodiscard]] const Holders& holders() const noexcept { return holders_; }

 private:
  Holders holders_;
};

/// A tensor of a message, as Python sees it: read-only, without a copy, by the buffer protocol and
/// by DLPack.
class TensorView {
 public:
  /// `tensor` is a part of `message`.
  TensorView(Message message, const Tensor& tensor, std::size_t part, const Holders& holders);
  /// `tensor` lies in memory of another part of `message`, or keeps its memory itself.
  TensorView(Message message, std::shared_ptr<const Tensor> tensor, const Holders& holders);

  [[nodiscard]] const Tensor& tensor() const noexcept { return *tensor_; }
  [[nodiscard]] const Message& message() const noexcept { return message_; }
  [[nodiscard]] const Holders& holders() const noexcept { return holder_.holders(); }
  /// The same memory as a tensor of its own, which keeps the message.
  [[nodiscard]] Tensor alias() const;
  /// Is it the part of its message with this name?
  [[nodiscard]] bool is_part(std::string_view name) const noexcept {
    return own_ == nullptr && (message_.begin() + part_)->name == name;
  }
  /// Its number in the message. Precondition: is_part().
  [[nodiscard]] std::size_t part() const noexcept { return part_; }

  /// Slots of the buffer protocol.
  static int fill_buffer(PyObject* self, Py_buffer* buffer, int flags);

  /// A capsule for the consumer; `copy` is None, True or False, as DLPack says.
  nb::object to_dlpack(const nb::object& max_version, const nb::object& copy) const;
  /// Device type and number.
  [[nodiscard]] nb::tuple dlpack_device() const;

 private:
  void note_shape() noexcept;

  Holder holder_;  // goes behind the message
  Message message_;
  std::shared_ptr<const Tensor> own_;  // of one that is no part itself
  const Tensor* tensor_;
  std::size_t part_ = 0;
  Py_ssize_t shape_[Shape::kMaxRank]{};
  Py_ssize_t strides_[Shape::kMaxRank]{};
};

/// Name of an element type in NumPy: "uint8"; throws Error(NotSupported) for custom elements.
const char* dtype_name(ElementType type);

/// The element type that NumPy calls so. Throws Error(InvalidArgument) when there is none.
ElementType element_named(std::string_view name);
/// The dimensions, for Python.
nb::tuple dimensions_of(const Shape& shape);
/// A capsule of DLPack before 1.0.
nb::object legacy_capsule(Tensor tensor);

/// The elements of an array of NumPy, of whatever else has the buffer protocol, or of an object
/// with __dlpack__, without a copy. The array is kept until the tensor goes; one of NumPy, and the
/// arrays that it is a view of, are read-only until then. Throws Error when it is none of these.
Tensor tensor_of(nb::handle array);

/// Adds TensorView to the module.
void bind_tensor(nb::module_& module);

}  // namespace gxr::python
