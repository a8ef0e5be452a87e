#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include "gxf/core/parameter.hpp"
#include "gxf/core/resource.hpp"

namespace nvidia {
namespace gxf {

namespace layer {

template <typename T>
struct Identity {
  using type = T;
};

}  // namespace layer

/// Takes down what a component says of its parameters in registerInterface().
class GXR_GXF_API Registrar {
 public:
  static constexpr Unexpected NoDefaultParameter() {
    return Unexpected{GXF_PARAMETER_NOT_INITIALIZED};
  }

  template <typename T>
  Expected<void> parameter(Parameter<T>& parameter, const char* key) {
    return add(parameter, describe<T>(key, key, "N/A", GXF_PARAMETER_FLAGS_NONE));
  }
  template <typename T>
  Expected<void> parameter(Parameter<T>& parameter, const char* key, const char* headline) {
    return add(parameter, describe<T>(key, headline, "N/A", GXF_PARAMETER_FLAGS_NONE));
  }
  template <typename T>
  Expected<void> parameter(Parameter<T>& parameter, const char* key, const char* headline,
                           const char* description) {
    return add(parameter, describe<T>(key, headline, description, GXF_PARAMETER_FLAGS_NONE));
  }
  template <typename T>
  Expected<void> parameter(Parameter<T>& parameter, const char* key, const char* headline,
                           const char* description,
                           const typename layer::Identity<T>::type& default_value) {
    return add(parameter, describe<T>(key, headline, description, GXF_PARAMETER_FLAGS_NONE),
               default_value);
  }
  template <typename T>
  Expected<void> parameter(Parameter<T>& parameter, const char* key, const char* headline,
                           const char* description,
                           const typename layer::Identity<T>::type& default_value,
                           gxf_parameter_flags_t flags) {
    return add(parameter, describe<T>(key, headline, description, flags), default_value);
  }
  template <typename T>
  Expected<void> parameter(Parameter<T>& parameter, const char* key, const char* headline,
                           const char* description, Unexpected, gxf_parameter_flags_t flags) {
    return add(parameter, describe<T>(key, headline, description, flags));
  }
  template <typename T>
  Expected<void> parameter(Parameter<T>& parameter, const ParameterInfo<T>& info) {
    layer::ParameterDescription about =
        describe<T>(info.key, info.headline, info.description, info.flags);
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
      if (info.value_range) {
        about.step = static_cast<double>(info.value_range.value()[2]);
      }
    }
    return info.value_default ? add(parameter, about, info.value_default.value())
                              : add(parameter, about);
  }

  template <typename T>
  Expected<void> resource(Resource<T>& resource, const char* description) {
    static_cast<void>(description);
    resource.attach(context_, cid_);
    return Success;
  }
  Expected<void> registerParameterlessComponent() { return Success; }

  // Of the layer.
  Registrar(void* sink, gxf_context_t context, gxf_uid_t cid) noexcept
      : sink_(sink), context_(context), cid_(cid) {}

 private:
  template <typename T>
  static layer::ParameterDescription describe(const char* key, const char* headline,
                                              const char* description,
                                              gxf_parameter_flags_t flags) {
    layer::ParameterDescription about;
    about.key = key;
    about.headline = headline;
    about.description = description;
    about.flags = flags;
    about.type = layer::ParameterTraits<T>::type();
    return about;
  }
  template <typename T>
  Expected<void> add(Parameter<T>& parameter, const layer::ParameterDescription& about) {
    parameter.register_as(about.key);
    return ExpectedOrCode(declare(parameter, about));
  }
  template <typename T>
  Expected<void> add(Parameter<T>& parameter, layer::ParameterDescription about,
                     const T& default_value) {
    about.has_default = true;
    if (!is_null_handle(default_value)) {
      about.default_value = layer::ParameterTraits<T>::text(context_, default_value);
    }
    parameter.register_as(about.key);
    parameter.setWithoutPropagate(default_value);
    return ExpectedOrCode(declare(parameter, about));
  }
  template <typename T>
  static bool is_null_handle(const T& value) {
    if constexpr (layer::IsHandle<T>::value) {
      return value.target().pointer == nullptr;
    } else {
      static_cast<void>(value);
      return false;
    }
  }
  gxf_result_t declare(layer::ParameterSlot& slot, const layer::ParameterDescription& about);

  void* sink_;
  gxf_context_t context_;
  gxf_uid_t cid_;
};

}  // namespace gxf
}  // namespace nvidia
