#include "values.hpp"

#include <type_traits>

#include "gxr/error.hpp"

namespace gxr::python {
namespace {

using Kind = ParameterType::Kind;

template <class T>
Datum read_as(const Value& value, ParameterContext& context) {
  auto read = ParameterTraits<T>::parse(value, context);
  if constexpr (std::is_same_v<T, Duration>) {
    return {read.nanoseconds};
  } else if constexpr (std::is_same_v<T, ByteSize>) {
    return {read.bytes};
  } else if constexpr (std::is_same_v<T, FilePath>) {
    return {std::move(read.path)};
  } else if constexpr (std::is_same_v<T, float>) {
    return {double{read}};
  } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    if constexpr (std::is_signed_v<T>) {
      return {std::int64_t{read}};
    } else {
      return {std::uint64_t{read}};
    }
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    return {std::complex<double>(read)};
  } else {
    return {std::move(read)};
  }
}

Datum read_list(const ParameterType& type, const Value& value, ParameterContext& context) {
  const bool is_pair = type.kind == Kind::Pair;
  if (type.kind == Kind::List) {
    detail::require_list(value);
  } else {
    const std::size_t length = is_pair ? 2 : type.length;
    detail::require_list(value, length, length);
  }
  Datum::List list;
  list.reserve(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    list.push_back(read_datum(type.of[is_pair ? i : 0], value.at(i), context));
  }
  return {std::move(list)};
}

Datum read_map(const ParameterType& type, const Value& value, ParameterContext& context) {
  detail::require_map(value);
  Datum::Map map;
  map.reserve(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    map.emplace_back(detail::parse_key(value.key(i), value.value(i)),
                     read_datum(type.of[0], value.value(i), context));
  }
  return {std::move(map)};
}

ParameterType type_of(Kind kind) {
  ParameterType type;
  type.kind = kind;
  return type;
}

/// A value of any type, as YAML 1.2 reads it.
Datum read_any(const Value& value, ParameterContext& context) {
  if (value.is_null()) {
    return {};
  }
  if (!value.is_scalar()) {
    ParameterType type = type_of(value.is_map() ? Kind::Map : Kind::List);
    type.of.emplace_back();
    return read_datum(type, value, context);
  }
  if (!value.quoted()) {
    for (const Kind kind : {Kind::Bool, Kind::Int64, Kind::UInt64, Kind::Float64}) {
      try {
        return read_datum(type_of(kind), value, context);
      } catch (const Error&) {  // it is of another kind
      }
    }
  }
  return read_as<std::string>(value, context);
}

}  // namespace

Datum read_datum(const ParameterType& type, const Value& value, ParameterContext& context) {
  switch (type.kind) {
    case Kind::Bool:
      return read_as<bool>(value, context);
    case Kind::Int8:
      return read_as<std::int8_t>(value, context);
    case Kind::Int16:
      return read_as<std::int16_t>(value, context);
    case Kind::Int32:
      return read_as<std::int32_t>(value, context);
    case Kind::Int64:
      return read_as<std::int64_t>(value, context);
    case Kind::UInt8:
      return read_as<std::uint8_t>(value, context);
    case Kind::UInt16:
      return read_as<std::uint16_t>(value, context);
    case Kind::UInt32:
      return read_as<std::uint32_t>(value, context);
    case Kind::UInt64:
      return read_as<std::uint64_t>(value, context);
    case Kind::Float32:
      return read_as<float>(value, context);
    case Kind::Float64:
      return read_as<double>(value, context);
    case Kind::Complex64:
      return read_as<std::complex<float>>(value, context);
    case Kind::Complex128:
      return read_as<std::complex<double>>(value, context);
    case Kind::String:
      return read_as<std::string>(value, context);
    case Kind::File:
      return read_as<FilePath>(value, context);
    case Kind::Duration:
      return read_as<Duration>(value, context);
    case Kind::Size:
      return read_as<ByteSize>(value, context);
    case Kind::Handle:
      return {context.resolve(value)};
    case Kind::Enum:
      return {type.choices[detail::parse_choice(value, type.choices)].name};
    case Kind::List:
    case Kind::Array:
    case Kind::Pair:
      return read_list(type, value, context);
    case Kind::Map:
      return read_map(type, value, context);
    case Kind::Any:
      return read_any(value, context);
  }
  return {};
}

namespace {

/// Makes Python's objects of data.
struct Converter {
  const std::function<nb::object(Component&)>& component;

  nb::object operator()(std::monostate /*none*/) const { return nb::none(); }
  nb::object operator()(bool value) const { return nb::bool_(value); }
  nb::object operator()(std::int64_t value) const { return nb::int_(value); }
  nb::object operator()(std::uint64_t value) const { return nb::int_(value); }
  nb::object operator()(double value) const { return nb::float_(value); }
  nb::object operator()(const std::complex<double>& value) const {
    return nb::steal(PyComplex_FromDoubles(value.real(), value.imag()));
  }
  nb::object operator()(const std::string& value) const {
    return nb::str(value.data(), value.size());
  }
  nb::object operator()(const Datum::List& list) const {
    nb::list made;
    for (const Datum& element : list) {
      made.append(std::visit(*this, element.value));
    }
    return made;
  }
  nb::object operator()(const Datum::Map& map) const {
    nb::dict made;
    for (const auto& [key, element] : map) {
      made[nb::str(key.data(), key.size())] = std::visit(*this, element.value);
    }
    return made;
  }
  nb::object operator()(Component* value) const {
    return value != nullptr ? component(*value) : nb::none();
  }
};

}  // namespace

nb::object to_python(const Datum& datum,
                     const std::function<nb::object(Component& component)>& component) {
  return std::visit(Converter{component}, datum.value);
}

}  // namespace gxr::python
