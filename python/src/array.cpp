#include "array.hpp"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <nanobind/stl/string.h>

#include "gil.hpp"
#include "gxr/device_runtime.hpp"
#include "gxr/dlpack.hpp"
#include "gxr/error.hpp"

namespace gxr::python {
namespace {

/// DLPack 1.0: the structure that says whether memory may be written.
struct VersionedTensor {
  std::uint32_t major;
  std::uint32_t minor;
  void* manager_ctx;
  void (*deleter)(VersionedTensor* self);
  std::uint64_t flags;
  DLTensor dl_tensor;
};
constexpr std::uint64_t kReadOnly = 1;
constexpr std::uint64_t kIsCopied = 2;

/// By context of an application. An address may come again; the counts of applications that are
/// gone are gone, too.
std::unordered_map<const Context*, std::weak_ptr<std::size_t>>& counts() {
  static auto* const counts = new std::unordered_map<const Context*, std::weak_ptr<std::size_t>>;
  return *counts;
}

std::size_t all_holders = 0;
void (*when_none)() = nullptr;

/// An element type, and its letter in the buffer protocol.
struct Element {
  ElementType type;
  const char* letter;
};
constexpr std::array kElements{
    Element{ElementType::Int8, "b"},       Element{ElementType::UInt8, "B"},
    Element{ElementType::Int16, "h"},      Element{ElementType::UInt16, "H"},
    Element{ElementType::Int32, "i"},      Element{ElementType::UInt32, "I"},
    Element{ElementType::Int64, "l"},      Element{ElementType::UInt64, "L"},
    Element{ElementType::Float32, "f"},    Element{ElementType::Float64, "d"},
    Element{ElementType::Complex64, "Zf"}, Element{ElementType::Complex128, "Zd"},
    Element{ElementType::Float16, "e"},
};

const char* letter_of(ElementType type) noexcept {
  for (const Element& element : kElements) {
    if (element.type == type) {
      return element.letter;
    }
  }
  return nullptr;
}

ElementType element_of(std::string_view format) {
  if (!format.empty() &&
      (format.front() == '@' || format.front() == '=' || format.front() == '<')) {
    format.remove_prefix(1);
  }
  for (const Element& element : kElements) {
    if (element.letter == format) {
      return element.type;
    }
  }
  if (format == "?") {
    return ElementType::UInt8;
  }
  if (format == "q" || format == "Q") {  // as long as the letters above
    return format == "q" ? ElementType::Int64 : ElementType::UInt64;
  }
  if (format == "c") {
    return ElementType::UInt8;
  }
  throw Error(ErrorCode::NotSupported,
              "an array with elements of the format '" + std::string(format) +
                  "' cannot be a tensor: array.astype(…) makes one of another type");
}

/// Arrays of NumPy that are read-only while tensors use their memory.
class ArrayLocks {
 public:
  /// The array and its bases, as far as they are arrays; the outermost last.
  static std::vector<PyObject*> lock(const nb::object& array) {
    static PyObject* const base = PyUnicode_InternFromString("base");
    std::vector<PyObject*> locked;
    nb::object each = array;
    while (each.is_valid() && !each.is_none() && nb::hasattr(each, "setflags")) {
      Lock& lock = locks()[each.ptr()];
      ++lock.users;
      if (!lock.array.is_valid()) {
        lock.array = each;
        lock.was_writable = nb::cast<bool>(each.attr("flags").attr("writeable"));
        static_cast<void>(set_writable(each.ptr(), false));
      }
      locked.push_back(each.ptr());
      each = nb::steal(PyObject_GetAttr(each.ptr(), base));
    }
    PyErr_Clear();
    return locked;
  }

  static void unlock(const std::vector<PyObject*>& arrays) noexcept {
    bool open = false;
    for (auto array = arrays.rbegin(); array != arrays.rend(); ++array) {
      const auto found = locks().find(*array);
      --found->second.users;
      open = give_back(found) || open;
    }
    // A view is writable again only when its base is, for which it may have waited.
    while (open && waiting_ > 0) {
      open = false;
      for (auto each = locks().begin(); each != locks().end() && !open; ++each) {
        open = each->second.waits && give_back(each);
      }
    }
  }

 private:
  struct Lock {
    nb::object array;
    std::size_t users = 0;
    bool was_writable = false;
    bool waits = false;  // for its base
  };
  using Locks = std::unordered_map<PyObject*, Lock>;

  static Locks& locks() {
    static auto* const locks = new Locks;  // arrays may go last of all
    return *locks;
  }

  /// False while the array has users, or its base is read-only.
  static bool give_back(Locks::iterator place) noexcept {
    Lock& lock = place->second;
    if (lock.users != 0) {
      return false;
    }
    if (lock.was_writable && !set_writable(place->first, true)) {
      waiting_ += lock.waits ? 0 : 1;
      lock.waits = true;
      return false;
    }
    waiting_ -= lock.waits ? 1 : 0;
    const nb::object goes = lock.array;
    locks().erase(place);
    return true;
  }

  static inline std::size_t waiting_ = 0;

  [[nodiscard]] static bool set_writable(PyObject* array, bool writable) noexcept {
    static PyObject* const set_flags = PyUnicode_InternFromString("setflags");
    const nb::object result =
        nb::steal(PyObject_CallMethodOneArg(array, set_flags, writable ? Py_True : Py_False));
    if (!result.is_valid()) {
      PyErr_Clear();
    }
    return result.is_valid();
  }
};

/// An array of Python whose memory a tensor uses. Made, and destroyed, under Python's lock.
class BorrowedArray {
 public:
  explicit BorrowedArray(nb::handle array) : array_(nb::borrow(array)) {
    if (PyObject_GetBuffer(array.ptr(), &buffer_, PyBUF_FULL_RO) != 0) {
      throw nb::python_error();
    }
  }
  ~BorrowedArray() {
    PyBuffer_Release(&buffer_);
    ArrayLocks::unlock(locks_);
  }
  BorrowedArray(const BorrowedArray&) = delete;
  BorrowedArray& operator=(const BorrowedArray&) = delete;

  [[nodiscard]] const Py_buffer& buffer() const noexcept { return buffer_; }

  /// Nobody writes to the array, or to those that it is a view of, until the last tensor that uses
  /// them goes. Other views that were made before can still write, and what is not of NumPy.
  void lock() { locks_ = ArrayLocks::lock(array_); }

  static void release(void* owner, void* /*pointer*/) noexcept {
    const Gil gil;
    delete static_cast<BorrowedArray*>(owner);
  }

 private:
  nb::object array_;
  Py_buffer buffer_{};
  std::vector<PyObject*> locks_;
};

/// Bytes from one element to the next; an exporter may leave them out where there are no gaps.
std::vector<Py_ssize_t> steps_of(const Py_buffer& buffer) {
  std::vector<Py_ssize_t> steps(static_cast<std::size_t>(buffer.ndim));
  Py_ssize_t step = buffer.itemsize;
  for (std::size_t i = steps.size(); i-- > 0;) {
    steps[i] = buffer.strides != nullptr ? buffer.strides[i] : step;
    step *= buffer.shape[i];
  }
  return steps;
}

Tensor tensor_of_buffer(nb::handle array) {
  auto borrowed = std::make_unique<BorrowedArray>(array);
  const Py_buffer& buffer = borrowed->buffer();
  if (buffer.ndim > static_cast<int>(Shape::kMaxRank)) {
    throw Error(ErrorCode::NotSupported, "an array of " + std::to_string(buffer.ndim) +
                                             " dimensions cannot be a tensor: the most are 8");
  }
  std::array<std::int32_t, Shape::kMaxRank> dimensions{};
  Strides strides{};
  const std::vector<Py_ssize_t> steps = steps_of(buffer);
  for (int i = 0; i < buffer.ndim; ++i) {
    const Py_ssize_t step = steps[static_cast<std::size_t>(i)];
    if (buffer.shape[i] > INT32_MAX || step < 0) {
      throw Error(
          ErrorCode::NotSupported,
          step < 0 ? "an array that runs backwards cannot be a tensor: use numpy.ascontiguousarray"
                   : "a dimension of an array is too large for a tensor");
    }
    dimensions[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(buffer.shape[i]);
    strides[static_cast<std::size_t>(i)] = static_cast<std::uint64_t>(step);
  }
  const ElementType type = element_of(buffer.format != nullptr ? buffer.format : "B");
  borrowed->lock();
  Tensor tensor;
  tensor.wrap(buffer.buf, Shape(dimensions.data(), static_cast<std::size_t>(buffer.ndim)), type,
              MemoryStorageType::System, borrowed.get(), &BorrowedArray::release,
              static_cast<std::uint64_t>(buffer.itemsize), &strides);
  static_cast<void>(borrowed.release());  // the tensor's now
  return tensor;
}

bool is_on_device(nb::handle array) {
  return nb::hasattr(array, "__dlpack_device__") &&
         nb::cast<int>(nb::tuple(array.attr("__dlpack_device__")())[0]) == kDLCUDA;
}

/// The capsule of an array, whose elements are all written: a library may have work for a GPU on a
/// stream of its own, which it has another stream wait for.
nb::object exported(nb::handle array) {
  if (!is_on_device(array)) {
    return array.attr("__dlpack__")();
  }
  const nb::tuple device(array.attr("__dlpack_device__")());
  const LeasedStream stream(StreamOptions{.device = nb::cast<int>(device[1])});
  const auto handle = reinterpret_cast<std::uintptr_t>(stream.get().handle());
  nb::object capsule = array.attr("__dlpack__")(nb::arg("stream") = handle);
  const WithoutGil others_run;
  stream.finish();
  return capsule;
}

Tensor tensor_of_dlpack(nb::handle array) {
  const nb::object capsule = exported(array);
  auto* const managed =
      static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
  if (managed == nullptr) {
    throw nb::python_error();
  }
  // The deleter is one of Python, which needs its lock; the tensor may go on any thread.
  struct Owner {
    DLManagedTensor* managed;
    static void release(void* owner, void* /*pointer*/) noexcept {
      const Gil gil;
      const std::unique_ptr<Owner> self(static_cast<Owner*>(owner));
      if (self->managed->deleter != nullptr) {
        self->managed->deleter(self->managed);
      }
    }
  };
  DLManagedTensor probe = *managed;  // as what it is a tensor
  probe.deleter = nullptr;
  const Tensor like = Tensor::from_dlpack(&probe);
  auto owner = std::make_unique<Owner>(Owner{managed});
  Tensor tensor;
  tensor.wrap(const_cast<void*>(like.pointer()), like.shape(), like.element_type(),
              like.storage_type(), owner.get(), &Owner::release, like.bytes_per_element(),
              &like.strides());
  static_cast<void>(owner.release());
  PyCapsule_SetName(capsule.ptr(), "used_dltensor");
  return tensor;
}

void wait_for_device(const Message& message) {
  if (message.has_device_work()) {
    const WithoutGil others_run;
    message.wait_for_device();
  }
}

/// The memory of a view for a consumer that may keep it: counts like an object of Python.
Tensor held_alias(const TensorView& view) {
  struct Owner {
    Holder holder;  // goes behind the message
    Tensor tensor;
    static void release(void* owner, void* /*pointer*/) noexcept {
      const Gil gil;
      delete static_cast<Owner*>(owner);
    }
  };
  auto owner = std::make_unique<Owner>(Owner{Holder(view.holders()), view.alias()});
  const Tensor& tensor = owner->tensor;
  Tensor alias;
  alias.wrap(const_cast<void*>(tensor.pointer()), tensor.shape(), tensor.element_type(),
             tensor.storage_type(), owner.get(), &Owner::release, tensor.bytes_per_element(),
             &tensor.strides());
  static_cast<void>(owner.release());
  return alias;
}

template <class T>
void delete_unused(PyObject* capsule, const char* name) noexcept {
  if (PyCapsule_IsValid(capsule, name) != 0) {
    auto* const managed = static_cast<T*>(PyCapsule_GetPointer(capsule, name));
    managed->deleter(managed);
  }
}

nb::object versioned_capsule(Tensor tensor, std::uint64_t flags) {
  DLManagedTensor* const legacy = Tensor::to_dlpack(std::move(tensor));
  auto* const made = new VersionedTensor{1,
                                         0,
                                         legacy,
                                         [](VersionedTensor* self) {
                                           auto* const owned =
                                               static_cast<DLManagedTensor*>(self->manager_ctx);
                                           owned->deleter(owned);
                                           delete self;
                                         },
                                         flags,
                                         legacy->dl_tensor};
  return nb::steal(PyCapsule_New(made, "dltensor_versioned", [](PyObject* capsule) {
    delete_unused<VersionedTensor>(capsule, "dltensor_versioned");
  }));
}

nb::tuple shape_of(const TensorView& view) { return dimensions_of(view.tensor().shape()); }

nb::tuple strides_of(const TensorView& view) {
  nb::list strides;
  for (std::uint32_t i = 0; i < view.tensor().rank(); ++i) {
    strides.append(view.tensor().stride(i));
  }
  return nb::tuple(strides);
}

nb::dict cuda_interface(const TensorView& view) {
  const Tensor& tensor = view.tensor();
  if (tensor.storage_type() != MemoryStorageType::Device) {
    throw nb::attribute_error("this tensor is in memory of the host");
  }
  wait_for_device(view.message());
  nb::dict interface;
  interface["shape"] = shape_of(view);
  interface["strides"] = strides_of(view);
  interface["typestr"] =
      nb::module_::import_("numpy").attr("dtype")(dtype_name(tensor.element_type())).attr("str");
  interface["data"] = nb::make_tuple(reinterpret_cast<std::uintptr_t>(tensor.pointer()), true);
  interface["version"] = 3;
  return interface;
}

/// A copy of NumPy's.
nb::object on_host(const TensorView& view) {
  const Tensor& tensor = view.tensor();
  const nb::module_ numpy = nb::module_::import_("numpy");
  if (tensor.storage_type() != MemoryStorageType::Device) {
    return numpy.attr("array")(nb::cast(view));
  }
  nb::object array = numpy.attr("empty")(shape_of(view), dtype_name(tensor.element_type()));
  DeviceWork work = view.message().device_work();
  const Tensor packed = tensor.is_contiguous() ? view.alias() : copy_part(tensor, work);
  Py_buffer buffer{};
  if (PyObject_GetBuffer(array.ptr(), &buffer, PyBUF_WRITABLE) != 0) {
    throw nb::python_error();
  }
  try {
    const WithoutGil others_run;
    DeviceRuntime& runtime = DeviceRuntime::get();
    const LeasedStream stream(StreamOptions{.device = runtime.device_of(packed.pointer())});
    if (work) {
      stream.get().wait_for(work);
    }
    runtime.copy(buffer.buf, packed.pointer(), packed.size(), stream.get());
    stream.finish();
  } catch (...) {
    PyBuffer_Release(&buffer);
    throw;
  }
  PyBuffer_Release(&buffer);
  return array;
}

std::string text_of(const TensorView& view) {
  return "<gxr.Tensor " + view.tensor().shape().to_string() + " of " +
         to_string(view.tensor().element_type()) + " in " +
         to_string(view.tensor().storage_type()) + " memory>";
}

}  // namespace

Holders Holders::of(const Context* context) {
  Holders holders;
  if (context != nullptr) {
    std::weak_ptr<std::size_t>& known = counts()[context];
    holders.count_ = known.lock();
    if (holders.count_ == nullptr) {
      holders.count_ = std::make_shared<std::size_t>(0);
      known = holders.count_;
    }
  }
  return holders;
}

std::size_t Holders::all() noexcept { return all_holders; }

void Holders::on_none(void (*function)()) noexcept { when_none = function; }

Holder::Holder(Holders holders) noexcept : holders_(std::move(holders)) {
  ++all_holders;
  if (holders_.count_ != nullptr) {
    ++*holders_.count_;
  }
}

Holder::~Holder() {
  --all_holders;
  if (holders_.count_ != nullptr && --*holders_.count_ == 0 && when_none != nullptr) {
    when_none();
  }
}

TensorView::TensorView(Message message, const Tensor& tensor, std::size_t part,
                       const Holders& holders)
    : holder_(holders), message_(std::move(message)), tensor_(&tensor), part_(part) {
  note_shape();
}

TensorView::TensorView(Message message, std::shared_ptr<const Tensor> tensor,
                       const Holders& holders)
    : holder_(holders), message_(std::move(message)), own_(std::move(tensor)), tensor_(own_.get()) {
  note_shape();
}

void TensorView::note_shape() noexcept {
  for (std::uint32_t i = 0; i < tensor_->rank(); ++i) {
    shape_[i] = tensor_->shape().dimension(i);
    strides_[i] = static_cast<Py_ssize_t>(tensor_->stride(i));
  }
}

Tensor TensorView::alias() const {
  struct Owner {
    Message message;
    std::shared_ptr<const Tensor> tensor;
  };
  auto owner = std::make_unique<Owner>(Owner{message_, own_});
  Tensor alias;
  alias.wrap(
      const_cast<void*>(tensor_->pointer()), tensor_->shape(), tensor_->element_type(),
      tensor_->storage_type(), owner.get(),
      [](void* kept, void* /*pointer*/) noexcept { delete static_cast<Owner*>(kept); },
      tensor_->bytes_per_element(), &tensor_->strides());
  static_cast<void>(owner.release());
  return alias;
}

int TensorView::fill_buffer(PyObject* self, Py_buffer* buffer, int flags) {
  auto* const view = nb::inst_ptr<TensorView>(nb::handle(self));
  const Tensor& tensor = view->tensor();
  const char* const letter = letter_of(tensor.element_type());
  const char* why = nullptr;
  if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE) {
    why = "tensors of messages are read-only: copy the array, numpy.array(tensor)";
  } else if (tensor.storage_type() == MemoryStorageType::Device) {
    why = "this tensor is in memory of a GPU: use CuPy or PyTorch, or copy it to the host";
  } else if (letter == nullptr) {
    why = "elements of a type of their own have no name in NumPy";
  } else if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !tensor.is_contiguous()) {
    why = "the rows of this tensor have gaps";
  }
  if (why != nullptr) {
    buffer->obj = nullptr;
    PyErr_SetString(PyExc_BufferError, why);
    return -1;
  }
  buffer->buf = const_cast<void*>(tensor.pointer());
  buffer->obj = Py_NewRef(self);
  buffer->len = static_cast<Py_ssize_t>(tensor.size());
  buffer->itemsize = static_cast<Py_ssize_t>(tensor.bytes_per_element());
  buffer->readonly = 1;
  buffer->ndim = static_cast<int>(tensor.rank());
  buffer->format = (flags & PyBUF_FORMAT) == PyBUF_FORMAT ? const_cast<char*>(letter) : nullptr;
  buffer->shape = (flags & PyBUF_ND) == PyBUF_ND ? view->shape_ : nullptr;
  buffer->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? view->strides_ : nullptr;
  buffer->suboffsets = nullptr;
  buffer->internal = nullptr;
  return 0;
}

nb::object TensorView::to_dlpack(const nb::object& max_version, const nb::object& copy) const {
  const bool may_copy = copy.is_none() || nb::cast<bool>(copy);
  const bool must_copy = !copy.is_none() && may_copy;
  const bool versioned = !max_version.is_none() && nb::len(max_version) != 0 &&
                         nb::cast<int>(nb::tuple(max_version)[0]) >= 1;
  if (!versioned && !may_copy) {
    throw nb::buffer_error(
        "tensors of messages are read-only, which this consumer cannot promise: it needs DLPack "
        "1.0, or a copy");
  }
  if (versioned && !must_copy) {
    wait_for_device(message_);
    return versioned_capsule(held_alias(*this), kReadOnly);
  }
  DeviceWork work = message_.device_work();
  Tensor copied = copy_part(*tensor_, work);
  if (work) {
    work.stream->wait_on_host(work.number);
  }
  return versioned ? versioned_capsule(std::move(copied), kIsCopied)
                   : legacy_capsule(std::move(copied));
}

nb::tuple TensorView::dlpack_device() const {
  DLManagedTensor* const managed = Tensor::to_dlpack(held_alias(*this));
  const DLDevice device = managed->dl_tensor.device;
  managed->deleter(managed);
  return nb::make_tuple(static_cast<int>(device.device_type), device.device_id);
}

const char* dtype_name(ElementType type) {
  if (type == ElementType::Custom) {
    throw Error(ErrorCode::NotSupported, "elements of a type of their own have no name in NumPy");
  }
  return to_string(type);
}

nb::tuple dimensions_of(const Shape& shape) {
  nb::list dimensions;
  for (std::uint32_t i = 0; i < shape.rank(); ++i) {
    dimensions.append(shape.dimension(i));
  }
  return nb::tuple(dimensions);
}

ElementType element_named(std::string_view name) {
  for (const Element& element : kElements) {
    if (to_string(element.type) == name) {
      return element.type;
    }
  }
  throw Error(ErrorCode::InvalidArgument,
              "'" + std::string(name) + "' is no type of elements of a tensor");
}

nb::object legacy_capsule(Tensor tensor) {
  return nb::steal(PyCapsule_New(
      Tensor::to_dlpack(std::move(tensor)), "dltensor",
      [](PyObject* capsule) { delete_unused<DLManagedTensor>(capsule, "dltensor"); }));
}

Tensor tensor_of(nb::handle array) {
  const bool has_dlpack = nb::hasattr(array, "__dlpack__");
  // An array of CuPy has the buffer protocol, too, for memory that the host can read.
  if (PyObject_CheckBuffer(array.ptr()) != 0 && !(has_dlpack && is_on_device(array))) {
    return tensor_of_buffer(array);
  }
  if (has_dlpack) {
    return tensor_of_dlpack(array);
  }
  throw Error(ErrorCode::WrongType,
              "a value of the type '" +
                  nb::cast<std::string>(nb::str(array.type().attr("__name__"))) +
                  "' cannot be a tensor: it has neither the buffer protocol nor __dlpack__");
}

void bind_tensor(nb::module_& module) {
  static PyType_Slot slots[] = {
      {Py_bf_getbuffer, reinterpret_cast<void*>(&TensorView::fill_buffer)}, {0, nullptr}};
  nb::class_<TensorView>(module, "Tensor", nb::type_slots(slots),
                         "A tensor of a message, read-only and without a copy, by the buffer "
                         "protocol and DLPack: numpy.asarray(tensor).")
      .def_prop_ro("shape", &shape_of)
      .def_prop_ro("strides", &strides_of)
      .def_prop_ro("ndim", [](const TensorView& view) { return view.tensor().rank(); })
      .def_prop_ro("dtype",
                   [](const TensorView& view) { return dtype_name(view.tensor().element_type()); })
      .def_prop_ro("nbytes", [](const TensorView& view) { return view.tensor().size(); })
      .def_prop_ro("storage",
                   [](const TensorView& view) { return to_string(view.tensor().storage_type()); })
      .def_prop_ro("source_time",
                   [](const TensorView& view) { return view.message().source_time(); })
      .def_prop_ro("sequence", [](const TensorView& view) { return view.message().sequence(); })
      .def("to_host", &on_host)
      .def("__array__",
           [](const TensorView& view, const nb::args& /*all*/, const nb::kwargs& /*named*/) {
             // NumPy comes here where the buffer protocol does not help.
             throw nb::type_error(view.tensor().storage_type() == MemoryStorageType::Device
                                      ? "this tensor is in memory of a GPU: tensor.to_host() "
                                        "copies it, CuPy and PyTorch take it as it is"
                                      : "NumPy has no array of these elements");
           })
      .def_prop_ro("__cuda_array_interface__", &cuda_interface)
      .def(
          "__dlpack__",
          [](const TensorView& view, const nb::object& /*stream*/, const nb::object& max_version,
             const nb::object& /*dl_device*/,
             const nb::object& copy) { return view.to_dlpack(max_version, copy); },
          nb::kw_only(), nb::arg("stream") = nb::none(), nb::arg("max_version") = nb::none(),
          nb::arg("dl_device") = nb::none(), nb::arg("copy") = nb::none())
      .def("__dlpack_device__", &TensorView::dlpack_device)
      .def("__repr__", &text_of);
}

}  // namespace gxr::python
