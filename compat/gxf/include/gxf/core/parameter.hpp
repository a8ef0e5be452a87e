#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

#include "common/panic.hpp"
#include "gxf/core/parameter_parser.hpp"
#include "gxf/core/parameter_traits.hpp"
#include "gxf/core/parameter_wrapper.hpp"

namespace nvidia {
namespace gxf {

/// All that a registrar can be told of a parameter.
template <typename T>
struct ParameterInfo {
  const char* key = nullptr;
  const char* headline = nullptr;
  const char* description = nullptr;
  const char* platform_information = nullptr;
  Expected<T> value_default = Unexpected{GXF_PARAMETER_NOT_INITIALIZED};
  Expected<std::array<T, 3>> value_range = Unexpected{GXF_PARAMETER_NOT_INITIALIZED};
  gxf_parameter_flags_t flags = GXF_PARAMETER_FLAGS_NONE;
  static constexpr int kMaxRank = 8;
  std::int32_t rank = 0;
  std::int32_t shape[kMaxRank] = {1};
};

namespace layer {

template <typename T>
struct IsHandle : std::false_type {};
template <typename S>
struct IsHandle<Handle<S>> : std::true_type {
  using Target = S;
};

/// `why` follows the key in the text.
[[noreturn]] GXR_GXF_API void PanicNoParameter(const char* key, const char* why);

}  // namespace layer

/// A parameter: a member of a component that the engine fills from YAML before initialize(). The
/// engine changes a dynamic one between two ticks of its entity.
template <typename T>
class Parameter : public layer::ParameterSlot {
 public:
  Parameter() = default;

  const T& get() const {
    require_value();
    return value_.value();
  }
  const Expected<T>& try_get() const { return value_; }
  operator const T&() const { return get(); }  // NOLINT(google-explicit-constructor)
  /// The component that a handle refers to.
  template <typename U = T, typename = std::enable_if_t<layer::IsHandle<U>::value>>
  typename layer::IsHandle<U>::Target* operator->() const {
    return get().get();
  }
  Expected<void> set(T value) {
    const std::lock_guard<std::mutex> lock(mutex_);
    value_ = std::move(value);
    return Success;
  }
  void setWithoutPropagate(const T& value) {
    const std::lock_guard<std::mutex> lock(mutex_);
    value_ = value;
  }
  const char* key() const { return key_; }

  // Of the layer.
  void register_as(const char* key) noexcept { key_ = key; }
  void read(layer::ValueView value, const layer::ParseSite& site) override {
    auto parsed = layer::ParameterTraits<T>::parse(value, site);
    const std::lock_guard<std::mutex> lock(mutex_);
    value_ = std::move(parsed);
  }
  bool has_value() const noexcept override {
    if constexpr (layer::IsHandle<T>::value) {
      return value_.has_value() && value_.value().target().pointer != nullptr;
    } else {
      return value_.has_value();
    }
  }
  std::string text() const override {
    if (!value_.has_value()) {
      return {};
    }
    if constexpr (layer::IsHandle<T>::value) {
      return layer::NameOf(value_.value());
    } else {
      return layer::ParameterTraits<T>::text(kNullContext, value_.value()).value_or("");
    }
  }
  layer::ParameterSlot* make_another() const override { return new Parameter(); }
  void swap_value(layer::ParameterSlot& other) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::swap(value_, static_cast<Parameter&>(other).value_);
    ++swaps_;
  }
  const void* value_if(std::string_view type) const noexcept override {
    return value_.has_value() && type == detail::TypeKey<T>() ? &value_.value() : nullptr;
  }
  bool copy_if(std::string_view type, void* value, std::uint64_t& swaps) const override {
    if (type != detail::TypeKey<T>()) {
      return false;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    swaps = swaps_;
    if (value_.has_value()) {
      *static_cast<T*>(value) = value_.value();
    }
    return value_.has_value();
  }
  bool assign(std::string_view type, const void* value) override {
    if (type != detail::TypeKey<T>()) {
      return false;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    value_ = *static_cast<const T*>(value);
    return true;
  }
  const UntypedHandle* handle_if() const noexcept override {
    if constexpr (layer::IsHandle<T>::value) {
      return value_.has_value() ? &value_.value() : nullptr;
    } else {
      return nullptr;
    }
  }

 private:
  void require_value() const {
    if (!value_.has_value()) {
      layer::PanicNoParameter(key_, "has no value; optional parameters are read by try_get()");
    }
    if constexpr (layer::IsHandle<T>::value) {
      if (value_.value().target().cid == kUnspecifiedUid) {
        layer::PanicNoParameter(key_, "is <Unspecified>");
      }
    }
  }

  Expected<T> value_ = Unexpected{GXF_PARAMETER_NOT_INITIALIZED};
  const char* key_ = "";
};

}  // namespace gxf
}  // namespace nvidia
