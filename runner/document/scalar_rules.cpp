#include "document/scalar_rules.hpp"

#include <complex>
#include <cstdint>
#include <string>

#include "document/choice_words.hpp"
#include "document/no_handles.hpp"
#include "gxr/error.hpp"
#include "gxr/parameter.hpp"

namespace gxr {
namespace {

template <class T>
T parse_as(const Value& value, const ParameterInfo& parameter) {
  NoHandles context(&parameter);
  return ParameterTraits<T>::parse(value, context);
}

template <class T>
std::optional<double> number_as(const Value& value, const ParameterInfo& parameter) {
  return static_cast<double>(parse_as<T>(value, parameter));
}

/// Of types that are no numbers.
void require_readable(const Value& value, const ParameterType& type,
                      const ParameterInfo& parameter) {
  switch (type.kind) {
    case ParameterType::Kind::Bool:
      static_cast<void>(parse_as<bool>(value, parameter));
      return;
    case ParameterType::Kind::Complex64:
      static_cast<void>(parse_as<std::complex<float>>(value, parameter));
      return;
    case ParameterType::Kind::Complex128:
      static_cast<void>(parse_as<std::complex<double>>(value, parameter));
      return;
    case ParameterType::Kind::String:
      if (const std::string text = parse_as<std::string>(value, parameter); type.length != 0) {
        detail::require_room(text, type.length);
      }
      return;
    case ParameterType::Kind::File:
      static_cast<void>(parse_as<FilePath>(value, parameter));
      return;
    default:
      return;
  }
}

}  // namespace

std::optional<double> read_scalar(const Value& value, const ParameterType& type,
                                  const ParameterInfo& parameter) {
  switch (type.kind) {
    case ParameterType::Kind::Int8:
      return number_as<std::int8_t>(value, parameter);
    case ParameterType::Kind::Int16:
      return number_as<std::int16_t>(value, parameter);
    case ParameterType::Kind::Int32:
      return number_as<std::int32_t>(value, parameter);
    case ParameterType::Kind::Int64:
      return number_as<std::int64_t>(value, parameter);
    case ParameterType::Kind::UInt8:
      return number_as<std::uint8_t>(value, parameter);
    case ParameterType::Kind::UInt16:
      return number_as<std::uint16_t>(value, parameter);
    case ParameterType::Kind::UInt32:
      return number_as<std::uint32_t>(value, parameter);
    case ParameterType::Kind::UInt64:
      return number_as<std::uint64_t>(value, parameter);
    case ParameterType::Kind::Float32:
      return number_as<float>(value, parameter);
    case ParameterType::Kind::Float64:
      return number_as<double>(value, parameter);
    case ParameterType::Kind::Duration:
      return static_cast<double>(parse_as<Duration>(value, parameter).nanoseconds);
    case ParameterType::Kind::Size:
      return static_cast<double>(parse_as<ByteSize>(value, parameter).bytes);
    default:
      require_readable(value, type, parameter);
      return std::nullopt;
  }
}

bool in_range(const ParameterInfo& info, double number) noexcept {
  return (!info.minimum || number >= *info.minimum) && (!info.maximum || number <= *info.maximum);
}

bool is_quantity(const ParameterType& type) noexcept {
  return type.kind == ParameterType::Kind::Duration || type.kind == ParameterType::Kind::Size;
}

bool is_choice(const Choice& choice, const Value& value, std::optional<double> number) noexcept {
  return number ? number_of(choice) == *number : choice.name == value.text();
}

}  // namespace gxr
