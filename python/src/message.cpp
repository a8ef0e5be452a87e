#include "message.hpp"

#include <array>
#include <complex>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "gxr/error.hpp"
#include "gxr/multimedia/audio_buffer.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/timestamp.hpp"
#include "media.hpp"

namespace gxr::python {
namespace {

/// A part with a number or a text.
struct Scalar {
  TypeId id;
  const char* type;  ///< what Python calls it
  std::string_view cpp_type;
  nb::object (*read)(const void* part);
  void (*add)(Message& message, std::string_view name, nb::handle value);
};

template <class T>
nb::object read_scalar(const void* part) {
  const T& value = *static_cast<const T*>(part);
  if constexpr (std::is_same_v<T, bool>) {
    return nb::bool_(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return nb::float_(static_cast<double>(value));
  } else if constexpr (std::is_same_v<T, std::string>) {
    return nb::str(value.data(), value.size());
  } else if constexpr (std::is_integral_v<T>) {
    return nb::int_(value);
  } else {
    return nb::steal(PyComplex_FromDoubles(value.real(), value.imag()));
  }
}

template <class T>
[[noreturn]] void throw_unfit(nb::handle value) {
  const nb::object text = nb::steal(PyObject_ASCII(value.ptr()));
  const std::string type =
      std::is_same_v<T, std::string> ? "text of UTF-8" : std::string(type_name<T>());
  throw Error(ErrorCode::WrongType, nb::cast<std::string>(text) + " is no " + type);
}

template <class T>
T number_of(nb::handle value) {
  T read{};
  if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
    const Py_complex number = PyComplex_AsCComplex(value.ptr());
    if (PyErr_Occurred() != nullptr) {
      throw nb::python_error();
    }
    using Real = typename T::value_type;
    return {static_cast<Real>(number.real), static_cast<Real>(number.imag)};
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!nb::try_cast(value, read)) {
      throw_unfit<T>(value);
    }
    return read;
  } else if constexpr (std::is_floating_point_v<T>) {
    const double number = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred() != nullptr) {
      throw nb::python_error();
    }
    return static_cast<T>(number);
  } else if constexpr (std::is_same_v<T, bool>) {
    const int truth = PyObject_IsTrue(value.ptr());
    if (truth < 0) {
      throw nb::python_error();
    }
    return truth == 1;
  } else {
    const nb::object whole = nb::steal(PyNumber_Index(value.ptr()));
    if (!whole.is_valid()) {
      throw nb::python_error();
    }
    if (!nb::try_cast(whole, read)) {
      throw_unfit<T>(value);
    }
    return read;
  }
}

template <class T>
constexpr Scalar scalar(const char* type) {
  return {TypeIdOf<T>::value, type, type_name<T>(), &read_scalar<T>,
          [](Message& message, std::string_view name, nb::handle value) {
            message.add<T>(name, number_of<T>(value));
          }};
}

/// The first of a kind is what a value of Python becomes by itself.
const std::array<Scalar, 14>& scalars() {
  static const std::array<Scalar, 14> all{
      scalar<std::int64_t>("int64"),
      scalar<double>("float64"),
      scalar<bool>("bool"),
      scalar<std::string>("string"),
      scalar<std::complex<double>>("complex128"),
      scalar<std::int8_t>("int8"),
      scalar<std::uint8_t>("uint8"),
      scalar<std::int16_t>("int16"),
      scalar<std::uint16_t>("uint16"),
      scalar<std::int32_t>("int32"),
      scalar<std::uint32_t>("uint32"),
      scalar<std::uint64_t>("uint64"),
      scalar<float>("float32"),
      scalar<std::complex<float>>("complex64"),
  };
  return all;
}

const Scalar* scalar_of(const TypeId& id) {
  for (const Scalar& scalar : scalars()) {
    if (scalar.id == id) {
      return &scalar;
    }
  }
  return nullptr;
}

const Scalar* scalar_named(std::string_view type) {
  for (const Scalar& scalar : scalars()) {
    if (type == scalar.type) {
      return &scalar;
    }
  }
  return nullptr;
}

std::string_view type_of_value(nb::handle value) {
  PyObject* const object = value.ptr();
  if (PyBool_Check(object)) {
    return "bool";
  }
  if (PyLong_Check(object)) {
    return "int64";
  }
  if (PyFloat_Check(object)) {
    return "float64";
  }
  if (PyComplex_Check(object)) {
    return "complex128";
  }
  return PyUnicode_Check(object) ? "string" : "";
}

const char* python_type_of(const detail::Part& part) {
  if (part.id == TypeIdOf<Tensor>::value) {
    return "Tensor";
  }
  if (part.id == TypeIdOf<Timestamp>::value) {
    return "Timestamp";
  }
  if (part.id == TypeIdOf<VideoBuffer>::value) {
    return "Picture";
  }
  if (part.id == TypeIdOf<AudioBuffer>::value) {
    return "Sound";
  }
  const Scalar* const scalar = scalar_of(part.id);
  return scalar != nullptr ? scalar->type : nullptr;
}

/// The part for Python; nothing when Python cannot read its type.
std::optional<nb::object> read_part(const Message& message, std::size_t number,
                                    const Holders& holders) {
  const detail::Part& part = *(message.begin() + number);
  if (part.id == TypeIdOf<Tensor>::value) {
    return nb::cast(TensorView(message, *static_cast<const Tensor*>(part.data), number, holders));
  }
  if (const Scalar* const scalar = scalar_of(part.id)) {
    return scalar->read(part.data);
  }
  if (part.id == TypeIdOf<VideoBuffer>::value) {
    return nb::cast(PictureView(message, number, holders));
  }
  if (part.id == TypeIdOf<AudioBuffer>::value) {
    return nb::cast(SoundView(message, number, holders));
  }
  if (part.id == TypeIdOf<Timestamp>::value) {
    const auto& time = *static_cast<const Timestamp*>(part.data);
    return nb::make_tuple(time.pubtime, time.acqtime);
  }
  return std::nullopt;
}

std::string names_of_parts(const Message& message) {
  std::string text;
  for (const detail::Part& part : message) {
    text += text.empty() ? "" : ", ";
    text += "'" + std::string(part.name) + "' (" + std::string(part.operations->type_name()) + ")";
  }
  return text.empty() ? "the message has no parts" : "the message has " + text;
}

nb::object part_named(const MessageView& view, std::string_view name) {
  std::size_t number = 0;
  for (const detail::Part& part : view.message) {
    if (part.name == name) {
      if (auto read = read_part(view.message, number, view.holder.holders())) {
        return *std::move(read);
      }
    }
    ++number;
  }
  const std::string text =
      "no part '" + std::string(name) + "' that Python can read: " + names_of_parts(view.message);
  throw nb::key_error(text.c_str());
}

nb::object first_tensor(const Message& message, const std::optional<std::string_view>& name,
                        const Holders& holders) {
  std::size_t number = 0;
  for (const detail::Part& part : message) {
    if (part.id == TypeIdOf<Tensor>::value && (!name || *name == part.name)) {
      return nb::cast(TensorView(message, *static_cast<const Tensor*>(part.data), number, holders));
    }
    ++number;
  }
  throw Error(ErrorCode::NotFound, "no tensor: " + names_of_parts(message));
}

/// The first part of a type, which Python reads.
template <class T>
nb::object first_of(const Message& message, const char* called, const Holders& holders) {
  for (std::size_t number = 0; number < message.size(); ++number) {
    if ((message.begin() + number)->id == TypeIdOf<T>::value) {
      return *read_part(message, number, holders);
    }
  }
  throw Error(ErrorCode::NotFound, std::string("no ") + called + ": " + names_of_parts(message));
}

nb::object first_value(const Message& message) {
  for (const detail::Part& part : message) {
    if (const Scalar* const scalar = scalar_of(part.id)) {
      return scalar->read(part.data);
    }
  }
  throw Error(ErrorCode::NotFound, "no number and no text: " + names_of_parts(message));
}

/// The data of a message that has one part beside a Timestamp; else the message.
nb::object only_data(const Message& message, const Holders& holders) {
  std::optional<std::size_t> data;
  std::size_t number = 0;
  for (const detail::Part& part : message) {
    if (part.id != TypeIdOf<Timestamp>::value) {
      if (data) {
        return nb::cast(MessageView(message, holders));
      }
      data = number;
    }
    ++number;
  }
  if (data) {
    if (auto read = read_part(message, *data, holders)) {
      return *std::move(read);
    }
  }
  return nb::cast(MessageView(message, holders));
}

nb::list parts_of(const MessageView& view) {
  nb::list parts;
  for (const detail::Part& part : view.message) {
    const char* const known = python_type_of(part);
    const std::string type = known != nullptr ? known : std::string(part.operations->type_name());
    parts.append(nb::make_tuple(nb::str(part.name.data(), part.name.size()), type));
  }
  return parts;
}

nb::object time_of(const MessageView& view, std::int64_t Timestamp::*member) {
  const Timestamp* const time = view.message.find<Timestamp>();
  return time != nullptr ? nb::object(nb::int_(time->*member)) : nb::none();
}

}  // namespace

nb::object from_message(Message message, Content content, const Holders& holders) {
  switch (content) {
    case Content::Tensor:
      return first_tensor(message, std::nullopt, holders);
    case Content::Value:
      return first_value(message);
    case Content::Picture:
      return first_of<VideoBuffer>(message, "picture", holders);
    case Content::Sound:
      return first_of<AudioBuffer>(message, "sound", holders);
    case Content::Auto:
      return only_data(message, holders);
    case Content::Message:
      break;
  }
  return nb::cast(MessageView(std::move(message), holders));
}

void add_part(Message& message, nb::handle value, std::string_view name, std::string_view type) {
  if (value.is_none()) {
    throw Error(ErrorCode::InvalidArgument, "None is nothing that a message can have");
  }
  if (TensorView* view = nullptr; nb::try_cast<TensorView*>(value, view) && view != nullptr) {
    view->message().wait_for_device();
    if (view->is_part(name)) {
      message.share_part(view->message(), view->part());
    } else {
      message.add<Tensor>(name, view->alias());
    }
    return;
  }
  if (add_picture_or_sound(message, value, name)) {
    return;
  }
  if (type.empty()) {
    type = type_of_value(value);
  }
  if (!type.empty()) {
    const Scalar* const scalar = scalar_named(type);
    if (scalar == nullptr) {
      throw Error(ErrorCode::InvalidArgument, "there is no type '" + std::string(type) +
                                                  "' of parts: int64, float64, string, bool, …");
    }
    scalar->add(message, name, value);
    return;
  }
  message.add<Tensor>(name, tensor_of(value));
}

nb::dict part_types() {
  nb::dict types;
  for (const Scalar& scalar : scalars()) {
    types[scalar.type] = nb::str(scalar.cpp_type.data(), scalar.cpp_type.size());
  }
  return types;
}

MessageView* as_message(nb::handle value) {
  MessageView* view = nullptr;
  return nb::try_cast<MessageView*>(value, view) ? view : nullptr;
}

void bind_message(nb::module_& module) {
  nb::class_<MessageView>(module, "Message", "A message, with its parts.")
      .def_prop_ro("parts", &parts_of)
      .def_prop_rw(
          "source_time", [](const MessageView& view) { return view.message.source_time(); },
          [](MessageView& view, std::int64_t time) {
            view.message.set_source_time(time);
            view.is_new = false;
          })
      .def_prop_rw(
          "sequence", [](const MessageView& view) { return view.message.sequence(); },
          [](MessageView& view, std::uint64_t number) {
            view.message.set_sequence(number);
            view.is_new = false;
          })
      .def_prop_ro("acquired",
                   [](const MessageView& view) { return time_of(view, &Timestamp::acqtime); })
      .def_prop_ro("published",
                   [](const MessageView& view) { return time_of(view, &Timestamp::pubtime); })
      .def(
          "tensor",
          [](const MessageView& view, std::optional<std::string_view> name) {
            return first_tensor(view.message, name, view.holder.holders());
          },
          nb::arg("name") = nb::none())
      .def("value", [](const MessageView& view) { return first_value(view.message); })
      .def("__getitem__", &part_named, nb::arg("name"))
      .def("__len__", [](const MessageView& view) { return view.message.size(); })
      .def(
          "add",
          [](MessageView& view, nb::handle value, std::string_view name, std::string_view type) {
            add_part(view.message, value, name, type);
          },
          nb::arg("value").none(), nb::arg("name") = "", nb::arg("type") = "")
      .def("__repr__", [](const MessageView& view) {
        return "<gxr.Message: " + names_of_parts(view.message) + ">";
      });
}

}  // namespace gxr::python
