#include "capture.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <nanobind/stl/string.h>

#include "array.hpp"
#include "device_tensor.hpp"
#include "failure.hpp"
#include "gil.hpp"
#include "gxr/device_runtime.hpp"
#include "gxr/error.hpp"

namespace gxr::python {
namespace {

using InputView = View<InputOfOperator>;
using OutputView = View<OutputOfOperator>;

/// `given` is a TensorSpec of the package.
TensorSpec spec_of(nb::handle given) {
  TensorSpec spec;
  std::array<std::int32_t, Shape::kMaxRank> dimensions{};
  std::size_t rank = 0;
  for (const nb::handle extent : given.attr("shape")) {
    if (rank == Shape::kMaxRank) {
      throw Error(ErrorCode::InvalidArgument, "a tensor has 8 dimensions at most");
    }
    dimensions[rank++] = nb::cast<std::int32_t>(extent);
  }
  spec.shape = Shape(dimensions.data(), rank);
  spec.type = element_named(nb::cast<std::string>(given.attr("dtype")));
  spec.content = nb::cast<std::string>(given.attr("content"));
  spec.name = nb::cast<std::string>(given.attr("name"));
  return spec;
}

nb::object to_python(const TensorSpec& spec) {
  return nb::module_::import_("gxr._capture")
      .attr("TensorSpec")(dimensions_of(spec.shape), dtype_name(spec.type), spec.content,
                          spec.name);
}

/// The bytes of whatever has the buffer protocol.
std::vector<std::byte> bytes_of(nb::handle buffer) {
  Py_buffer view{};
  if (PyObject_GetBuffer(buffer.ptr(), &view, PyBUF_SIMPLE) != 0) {
    throw nb::python_error();
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(view.len));
  if (!bytes.empty()) {
    std::memcpy(bytes.data(), view.buf, bytes.size());
  }
  PyBuffer_Release(&view);
  return bytes;
}

/// Shapes.input() raises this error while nobody knows an input.
bool is_not_available(nb::handle exception) {
  const nb::object code = nb::getattr(exception, "code", nb::none());
  return nb::isinstance(exception, nb::module_::import_("gxr._error").attr("Error")) &&
         code.equal(nb::str(to_string(ErrorCode::NotAvailable)));
}

/// A context that an operator may use while a method of it runs, and not afterwards.
template <class T>
class Lent {
 public:
  explicit Lent(T& context) noexcept : context_(&context) {}
  void end() noexcept { context_ = nullptr; }
  [[nodiscard]] T& get() const {
    if (context_ == nullptr) {
      throw Error(ErrorCode::InvalidState, "this is valid only while the call that gave it runs");
    }
    return *context_;
  }

 private:
  T* context_;
};

/// Ends a Lent in any case, since Python may keep the object.
template <class T>
class Lending {
 public:
  explicit Lending(nb::object object) : object_(std::move(object)) {}
  ~Lending() { nb::inst_ptr<T>(object_)->end(); }
  Lending(const Lending&) = delete;
  Lending& operator=(const Lending&) = delete;
  [[nodiscard]] const nb::object& get() const noexcept { return object_; }

 private:
  nb::object object_;
};

/// The argument of infer().
class ShapesView : public Lent<ShapeContext> {
 public:
  ShapesView(ShapeContext& context, std::shared_ptr<AskedBytes> asked)
      : Lent(context), asked_(std::move(asked)) {}

  [[nodiscard]] nb::object input(const InputView& port) const {
    return to_python(get().input(port.get().port().receiver()));
  }
  void set_output(const OutputView& port, nb::handle spec) const {
    get().set_output(port.get().port().transmitter(), spec_of(spec));
  }
  void set_scratch(std::size_t bytes) const {
    get().set_scratch(bytes);
    asked_->scratch = bytes;
  }
  void set_parameters(nb::handle buffer) const {
    std::vector<std::byte> bytes = bytes_of(buffer);
    asked_->parameters = bytes.size();
    get().set_parameters(std::move(bytes));
  }

 private:
  std::shared_ptr<AskedBytes> asked_;
};

/// The argument of capture().
class CaptureView : public Lent<CaptureContext> {
 public:
  struct Parts {
    std::shared_ptr<UsedByGraphs> used;
    std::shared_ptr<AskedBytes> asked;
    std::shared_ptr<LastingStream> lasting;
    int device;
  };
  CaptureView(CaptureContext& context, Parts parts) : Lent(context), parts_(std::move(parts)) {}

  [[nodiscard]] DeviceTensor input(const InputView& port) const {
    return {get().input(port.get().port().receiver()), parts_.device};
  }
  [[nodiscard]] nb::object spec(const InputView& port) const {
    return to_python(get().input_spec(port.get().port().receiver()));
  }
  [[nodiscard]] DeviceTensor output(const OutputView& port) const {
    return {get().output(port.get().port().transmitter()), parts_.device};
  }
  [[nodiscard]] nb::object scratch() const { return bytes(get().scratch(), parts_.asked->scratch); }
  [[nodiscard]] nb::object parameters() const {
    return bytes(get().parameters(), parts_.asked->parameters);
  }
  [[nodiscard]] DeviceTensor iteration() const {
    return {get().iteration(), Shape({1}), ElementType::UInt64, parts_.device};
  }
  [[nodiscard]] nb::object is_new(const InputView& port) const {
    const std::uint64_t* const word = get().is_new(port.get().port().receiver());
    return word == nullptr
               ? nb::none()
               : nb::cast(DeviceTensor(word, Shape({1}), ElementType::UInt64, parts_.device));
  }
  [[nodiscard]] std::uintptr_t stream() const {
    const std::uintptr_t captured = captured_stream();
    return forks_ ? parts_.lasting->handle() : captured;
  }
  [[nodiscard]] std::uintptr_t captured_stream() const {
    return reinterpret_cast<std::uintptr_t>(get().stream());
  }
  /// From now on stream() is one that is never destroyed, with that priority.
  std::uintptr_t use_lasting_stream(int priority) {
    static_cast<void>(get());
    parts_.lasting->take(parts_.device, priority);
    forks_ = true;
    return stream();
  }
  [[nodiscard]] int device() const noexcept { return parts_.device; }
  void keep(const nb::object& object) const { get().keep(UsedByGraphs::keep(parts_.used, object)); }

 private:
  [[nodiscard]] nb::object bytes(const void* pointer, std::size_t size) const {
    if (size > static_cast<std::size_t>(INT32_MAX)) {
      throw Error(ErrorCode::NotSupported, "Python sees no more than 2 GiB as one array of bytes");
    }
    return pointer == nullptr
               ? nb::none()
               : nb::cast(DeviceTensor(pointer, Shape({static_cast<std::int32_t>(size)}),
                                       ElementType::UInt8, parts_.device));
  }

  Parts parts_;
  bool forks_ = false;
};

}  // namespace

// --- streams -----------------------------------------------------------------------------------

namespace {

struct KnownStream {
  DeviceStream* stream;
  int device;
  int priority;
  bool is_used;
};

/// Under Python's lock.
std::vector<KnownStream>& known_streams() {
  static auto* const all = new std::vector<KnownStream>;
  return *all;
}

}  // namespace

void LastingStream::take(int device, int priority) {
  if (stream_ != nullptr) {
    return;
  }
  for (KnownStream& each : known_streams()) {
    if (!each.is_used && each.device == device && each.priority == priority) {
      each.is_used = true;
      stream_ = each.stream;
      return;
    }
  }
  StreamOptions options;
  options.device = device;
  options.priority = priority;
  stream_ = &DeviceRuntime::get().acquire_stream(options);
  known_streams().push_back({stream_, device, priority, true});
}

void LastingStream::give_back() noexcept {
  for (KnownStream& each : known_streams()) {
    each.is_used = each.is_used && each.stream != stream_;
  }
  stream_ = nullptr;
}

std::uintptr_t LastingStream::handle() const noexcept {
  return reinterpret_cast<std::uintptr_t>(stream_->handle());
}

// --- what graphs use ---------------------------------------------------------------------------

std::shared_ptr<const void> UsedByGraphs::keep(const std::shared_ptr<UsedByGraphs>& self,
                                               nb::object object) {
  return {object.release().ptr(), [owner = self](PyObject* pointer) mutable {
            const Gil gil;
            const std::shared_ptr<UsedByGraphs> used = std::move(owner);  // goes before the lock
            nb::object kept = nb::steal(pointer);
            // Another reference keeps it: that of the next capture, or of the operator.
            if (!used->ended_ && Py_REFCNT(kept.ptr()) == 1) {
              used->unused_.push_back(std::move(kept));
            }
          }};
}

void UsedByGraphs::end() noexcept {
  ended_ = true;
  const std::vector<nb::object> unused = std::move(unused_);
}

// --- the operator ------------------------------------------------------------------------------

void CapturablePythonOperator::infer(ShapeContext& context) {
  const Gil gil;
  calling_python([&] {
    update_object();
    *asked_ = {};
    const Lending<ShapesView> shapes(nb::cast(ShapesView(context, asked_)));
    as_own_call([&] {
      try {
        instance().attr("infer")(shapes.get());
      } catch (nb::python_error& exception) {
        if (is_not_available(exception.value())) {
          throw Error(ErrorCode::NotAvailable, "an input is not known yet");
        }
        throw;
      }
    });
  });
}

void CapturablePythonOperator::call_with(CaptureContext& context, const char* function) {
  const Gil gil;
  calling_python([&] {
    update_object();
    const Lending<CaptureView> region(
        nb::cast(CaptureView(context, {used_, asked_, lasting_,
                                       gxr::Codelet::context().graph_device(*this).value_or(0)})));
    as_own_call(
        [&] { nb::module_::import_("gxr._capture").attr(function)(instance(), region.get()); });
  });
}

void CapturablePythonOperator::prepare_capture(CaptureContext& context) {
  call_with(context, "prepare");
}

void CapturablePythonOperator::capture(CaptureContext& context) { call_with(context, "capture"); }

CapturablePythonOperator::~CapturablePythonOperator() { end(); }

void CapturablePythonOperator::end() noexcept {
  const Gil gil;
  used_->end();
  lasting_->give_back();
}

void CapturablePythonOperator::deinitialize() {
  {
    const Gil gil;
    calling_python([&] { nb::module_::import_("gxr._capture").attr("forget")(instance()); });
  }
  PythonOperator::deinitialize();
  end();
}

// --- what Python sees --------------------------------------------------------------------------

void bind_capture(nb::module_& module) {
  nb::class_<ShapesView>(module, "Shapes", "What infer() is told, and whom it answers.")
      .def("input", &ShapesView::input)
      .def("set_output", &ShapesView::set_output)
      .def("set_scratch", &ShapesView::set_scratch)
      .def("set_parameters", &ShapesView::set_parameters);
  bind_device_tensor(module);
  nb::class_<CaptureView>(module, "Capture",
                          "The places that capture() writes kernels for, while it runs.")
      .def("input", &CaptureView::input)
      .def("input_spec", &CaptureView::spec)
      .def("output", &CaptureView::output)
      .def("is_new", &CaptureView::is_new)
      .def_prop_ro("scratch", &CaptureView::scratch)
      .def_prop_ro("parameters", &CaptureView::parameters)
      .def_prop_ro("iteration", &CaptureView::iteration)
      .def_prop_ro("stream", &CaptureView::stream)
      .def_prop_ro("captured_stream", &CaptureView::captured_stream)
      .def("use_lasting_stream", &CaptureView::use_lasting_stream)
      .def_prop_ro("device", &CaptureView::device)
      .def("keep", &CaptureView::keep, nb::arg("used").none());
}

}  // namespace gxr::python
