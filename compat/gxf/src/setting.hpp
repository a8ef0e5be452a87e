#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gxf/core/filepath.hpp"
#include "gxf/core/parameter_value.hpp"
#include "gxr/error.hpp"
#include "gxr/type_info.hpp"
#include "gxr/value.hpp"

// Values of parameters between GXF's C interface and an application.

namespace nvidia::gxf::layer {

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};

/// Texts and paths, which are read as each other.
template <class T>
struct IsText : std::false_type {
  using Other = T;
};
template <>
struct IsText<std::string> : std::true_type {
  using Other = FilePath;
};
template <>
struct IsText<FilePath> : std::true_type {
  using Other = std::string;
};

/// A value that a program gives to a parameter.
class Setting {
 public:
  using Kind = gxr::ParameterType::Kind;

  template <class T>
  explicit Setting(T value)
      : yaml_(yaml_of(value)), fits_(&Setting::fits<T>), value_(std::move(value)) {}
  /// The component "entity/component".
  static Setting of_handle(const std::string& name) {
    Setting setting(name);  // as a text
    setting.fits_ = [](const gxr::ParameterType& type) {
      return type.kind == Kind::Handle || type.kind == Kind::Any;
    };
    setting.value_ = Component{name};
    return setting;
  }

  /// "entity/component/parameter=", as an assignment begins.
  void set_name(std::string name) { name_ = std::move(name); }
  [[nodiscard]] std::string assignment() const { return name_ + yaml_; }
  [[nodiscard]] bool fits(const gxr::ParameterType& type) const { return fits_(type); }
  /// False: it is of another type. Texts are paths, and paths texts.
  template <class T>
  bool get(T& value) const {
    return copy_as<T>(value) || (IsText<T>::value && copy_as<typename IsText<T>::Other>(value));
  }
  /// The argument of of_handle(); none: it is no handle.
  [[nodiscard]] std::optional<std::string> component() const {
    const auto* const found = std::any_cast<Component>(&value_);
    return found != nullptr ? std::optional(found->name) : std::nullopt;
  }

  /// Can a parameter of this type have a T?
  template <class T>
  static bool fits(const gxr::ParameterType& type) {
    if constexpr (IsVector<T>::value) {
      return type.kind == Kind::Any || ((type.kind == Kind::List || type.kind == Kind::Array) &&
                                        fits<typename T::value_type>(type.of.front()));
    } else if constexpr (std::is_same_v<T, std::string>) {
      return type.kind == Kind::String || type.kind == Kind::File || type.kind == Kind::Duration ||
             type.kind == Kind::Size || type.kind == Kind::Enum || type.kind == Kind::Any;
    } else if constexpr (std::is_same_v<T, FilePath>) {
      return type.kind == Kind::File || type.kind == Kind::Any;
    } else {
      const bool is_quantity =
          std::is_integral_v<T> && !std::is_same_v<T, bool> &&
          (type.kind == Kind::Duration || type.kind == Kind::Size || type.kind == Kind::Enum);
      return type.kind == kind_of<T>() || type.kind == Kind::Any || is_quantity;
    }
  }

  /// Reads a T; false: the value is none.
  template <class T>
  static bool read(const gxr::Value& value, T& result) {
    try {
      result = parse<T>(value);
      return true;
    } catch (const gxr::Error&) {
      return false;
    }
  }

 private:
  struct Component {
    std::string name;
  };

  template <class As, class T>
  bool copy_as(T& value) const {
    const As* const found = std::any_cast<As>(&value_);
    if (found != nullptr) {
      value = *found;
    }
    return found != nullptr;
  }

  template <class T>
  static constexpr Kind kind_of() {
    if constexpr (std::is_same_v<T, bool>) {
      return Kind::Bool;
    } else if constexpr (std::is_floating_point_v<T>) {
      return sizeof(T) == sizeof(float) ? Kind::Float32 : Kind::Float64;
    } else {
      constexpr Kind kSigned[] = {Kind::Int8, Kind::Int16, Kind::Int32, Kind::Int64};
      constexpr Kind kUnsigned[] = {Kind::UInt8, Kind::UInt16, Kind::UInt32, Kind::UInt64};
      constexpr std::size_t kIndex = sizeof(T) == 1   ? 0
                                     : sizeof(T) == 2 ? 1
                                     : sizeof(T) == 4 ? 2
                                                      : 3;
      return std::is_signed_v<T> ? kSigned[kIndex] : kUnsigned[kIndex];
    }
  }

  template <class T>
  static T parse(const gxr::Value& value) {
    const ValueView view(&value);
    if constexpr (IsVector<T>::value) {
      RequireList(view);
      T list;
      for (std::size_t i = 0; i < value.size(); ++i) {
        list.push_back(parse<typename T::value_type>(value.at(i)));
      }
      return list;
    } else if constexpr (std::is_same_v<T, std::string>) {
      return ParseString(view);
    } else if constexpr (std::is_same_v<T, FilePath>) {
      return ParsePath(view);
    } else if constexpr (std::is_same_v<T, bool>) {
      return ParseBool(view);
    } else if constexpr (std::is_same_v<T, float>) {
      return ParseFloat(view);
    } else if constexpr (std::is_same_v<T, double>) {
      return ParseDouble(view);
    } else if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(
          ParseInt(view, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    } else {
      return static_cast<T>(ParseUint(view, std::numeric_limits<T>::max()));
    }
  }

  template <class T>
  static std::string yaml_of(const T& value) {
    if constexpr (IsVector<T>::value) {
      std::string text = "[";
      for (const auto& element : value) {
        text += (text.size() == 1 ? "" : ", ") + yaml_of<typename T::value_type>(element);
      }
      return text + "]";
    } else if constexpr (std::is_base_of_v<std::string, T>) {
      return TextOf(static_cast<const std::string&>(value));
    } else if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T>) {
      return TextOf(value);
    } else if constexpr (std::is_signed_v<T>) {
      return TextOf(static_cast<std::int64_t>(value));
    } else {
      return TextOf(static_cast<std::uint64_t>(value));
    }
  }

  std::string name_;
  std::string yaml_;
  bool (*fits_)(const gxr::ParameterType&);
  std::any value_;
};

}  // namespace nvidia::gxf::layer
