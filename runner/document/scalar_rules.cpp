#include "document/scalar_rules.hpp"

#include <complex>
#include <cstdint>
#include <string>

#include "document/choice_words.hpp"
#include "gxr/error.hpp"
#include "gxr/parameter.hpp"

namespace gxr {
namespace {

/// Scalars name no component.
class ScalarContext final : public ParameterContext {
 public:
  Component* resolve(const Value& /*value*/) override {
    throw Error(ErrorCode::NotFound, "a scalar names no component");
  }
};

template <class T>
T parse_as(const Value& value) {
  ScalarContext context;
  return ParameterTraits<T>::parse(value, context);
}

template <class T>
std::optional<double> number_as(const Value& value) {
  return static_cast<double>(parse_as<T>(value));
}

/// Throws Error when a text has more bytes than its type has room for.
void require_room(const std::string& text, std::size_t most) {
  if (most != 0 && text.size() > most) {
    throw Error(ErrorCode::OutOfRange, "this text has " + std::to_string(text.size()) +
                                           " bytes; at most " + std::to_string(most) +
                                           " are allowed");
  }
}

/// Of types that are no numbers.
void require_readable(const Value& value, const ParameterType& type) {
  switch (type.kind) {
    case ParameterType::Kind::Bool:
      static_cast<void>(parse_as<bool>(value));
      return;
    case ParameterType::Kind::Complex64:
      static_cast<void>(parse_as<std::complex<float>>(value));
      return;
    case ParameterType::Kind::Complex128:
      static_cast<void>(parse_as<std::complex<double>>(value));
      return;
    case ParameterType::Kind::String:
      require_room(parse_as<std::string>(value), type.length);
      return;
    case ParameterType::Kind::File:
      static_cast<void>(parse_as<FilePath>(value));
      return;
    case ParameterType::Kind::Duration:
      static_cast<void>(parse_as<Duration>(value));
      return;
    case ParameterType::Kind::Size:
      static_cast<void>(parse_as<ByteSize>(value));
      return;
    default:
      return;
  }
}

}  // namespace

std::optional<double> read_scalar(const Value& value, const ParameterType& type) {
  switch (type.kind) {
    case ParameterType::Kind::Int8:
      return number_as<std::int8_t>(value);
    case ParameterType::Kind::Int16:
      return number_as<std::int16_t>(value);
    case ParameterType::Kind::Int32:
      return number_as<std::int32_t>(value);
    case ParameterType::Kind::Int64:
      return number_as<std::int64_t>(value);
    case ParameterType::Kind::UInt8:
      return number_as<std::uint8_t>(value);
    case ParameterType::Kind::UInt16:
      return number_as<std::uint16_t>(value);
    case ParameterType::Kind::UInt32:
      return number_as<std::uint32_t>(value);
    case ParameterType::Kind::UInt64:
      return number_as<std::uint64_t>(value);
    case ParameterType::Kind::Float32:
      return number_as<float>(value);
    case ParameterType::Kind::Float64:
      return number_as<double>(value);
    default:
      require_readable(value, type);
      return std::nullopt;
  }
}

bool in_range(const ParameterInfo& info, double number) noexcept {
  return (!info.minimum || number >= *info.minimum) && (!info.maximum || number <= *info.maximum);
}

bool is_choice(const Choice& choice, const Value& value, std::optional<double> number) noexcept {
  return number ? number_of(choice) == *number : choice.name == value.text();
}

}  // namespace gxr
