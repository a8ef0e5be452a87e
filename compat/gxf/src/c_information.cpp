#include <algorithm>
#include <any>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "c_api.hpp"
#include "gxf/core/gxf.h"

// The C interface: what is known of extensions, types and parameters.

namespace nvidia::gxf::layer {
namespace {

using Kind = gxr::ParameterType::Kind;

/// Numbers of one parameter, of its type, and what refers to them.
struct ParameterAnswer {
  gxf_parameter_info_t info{};
  std::vector<std::shared_ptr<void>> numbers;
};

gxf_parameter_type_t type_of(Kind kind) {
  switch (kind) {
    case Kind::Bool:
      return GXF_PARAMETER_TYPE_BOOL;
    case Kind::Int8:
      return GXF_PARAMETER_TYPE_INT8;
    case Kind::Int16:
      return GXF_PARAMETER_TYPE_INT16;
    case Kind::Int32:
      return GXF_PARAMETER_TYPE_INT32;
    case Kind::Int64:
      return GXF_PARAMETER_TYPE_INT64;
    case Kind::UInt8:
      return GXF_PARAMETER_TYPE_UINT8;
    case Kind::UInt16:
      return GXF_PARAMETER_TYPE_UINT16;
    case Kind::UInt32:
      return GXF_PARAMETER_TYPE_UINT32;
    case Kind::UInt64:
      return GXF_PARAMETER_TYPE_UINT64;
    case Kind::Float32:
      return GXF_PARAMETER_TYPE_FLOAT32;
    case Kind::Float64:
      return GXF_PARAMETER_TYPE_FLOAT64;
    case Kind::Complex64:
      return GXF_PARAMETER_TYPE_COMPLEX64;
    case Kind::Complex128:
      return GXF_PARAMETER_TYPE_COMPLEX128;
    case Kind::String:
    case Kind::Duration:
    case Kind::Size:
    case Kind::Enum:
      return GXF_PARAMETER_TYPE_STRING;
    case Kind::File:
      return GXF_PARAMETER_TYPE_FILE;
    case Kind::Handle:
      return GXF_PARAMETER_TYPE_HANDLE;
    default:
      return GXF_PARAMETER_TYPE_CUSTOM;
  }
}

/// The element type of a list, and its rank and shape in `info`; -1 is any length.
const gxr::ParameterType& element_of(const gxr::ParameterType& type, gxf_parameter_info_t& info) {
  constexpr std::int32_t kMost = sizeof(info.shape) / sizeof(info.shape[0]);
  const gxr::ParameterType* element = &type;
  while ((element->kind == Kind::List || element->kind == Kind::Array) && info.rank < kMost) {
    info.shape[info.rank++] =
        element->kind == Kind::Array ? static_cast<std::int32_t>(element->length) : -1;
    element = &element->of.front();
  }
  return *element;
}

template <class T>
const void* kept(ParameterAnswer& answer, T number) {
  return answer.numbers.emplace_back(std::make_shared<T>(number)).get();
}

/// The number of this type that is nearest to the bound.
template <class T>
T nearest(double bound) {
  if constexpr (std::is_integral_v<T>) {
    // The greatest integers are no doubles: what is not below 2^n counts as the greatest.
    const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
    if (std::isnan(bound)) {
      return T{};
    }
    return bound >= end ? std::numeric_limits<T>::max()
           : bound <= static_cast<double>(std::numeric_limits<T>::min())
               ? std::numeric_limits<T>::min()
               : static_cast<T>(bound);
  } else {
    constexpr auto kMost = static_cast<double>(std::numeric_limits<T>::max());
    return std::isfinite(bound) ? static_cast<T>(std::clamp(bound, -kMost, kMost))
                                : static_cast<T>(bound);
  }
}

template <class T>
void add_range(ParameterAnswer& answer, const gxr::ParameterInfo& from) {
  const auto add = [&](const std::optional<double>& bound, const void*& to) {
    if (bound) {
      to = kept(answer, nearest<T>(*bound));
    }
  };
  add(from.minimum, answer.info.numeric_min);
  add(from.maximum, answer.info.numeric_max);
  add(from.step, answer.info.numeric_step);
}

/// Plain numbers are the same in YAML and here.
gxr::Value plain(const std::string& text) {
  return gxr::Value::make_scalar(gxr::ValueKind::Scalar, text, false, {});
}

template <class T>
void add_numbers(ParameterAnswer& answer, const gxr::ParameterInfo& from) {
  if constexpr (!std::is_same_v<T, bool>) {
    add_range<T>(answer, from);
  }
  T number{};
  if (answer.info.rank == 0 && from.default_value &&
      Setting::read(plain(*from.default_value), number)) {
    answer.info.default_value = kept(answer, number);
  }
}

void add_typed(ParameterAnswer& answer, Kind kind, const gxr::ParameterInfo& from,
               Program& program) {
  switch (kind) {
    case Kind::Bool:
      return add_numbers<bool>(answer, from);
    case Kind::Int8:
      return add_numbers<std::int8_t>(answer, from);
    case Kind::Int16:
      return add_numbers<std::int16_t>(answer, from);
    case Kind::Int32:
      return add_numbers<std::int32_t>(answer, from);
    case Kind::Int64:
      return add_numbers<std::int64_t>(answer, from);
    case Kind::UInt8:
      return add_numbers<std::uint8_t>(answer, from);
    case Kind::UInt16:
      return add_numbers<std::uint16_t>(answer, from);
    case Kind::UInt32:
      return add_numbers<std::uint32_t>(answer, from);
    case Kind::UInt64:
      return add_numbers<std::uint64_t>(answer, from);
    case Kind::Float32:
      return add_numbers<float>(answer, from);
    case Kind::Float64:
      return add_numbers<double>(answer, from);
    case Kind::String:
    case Kind::File:
    case Kind::Duration:
    case Kind::Size:
    case Kind::Enum:
      // As YAML text.
      if (answer.info.rank == 0 && from.default_value) {
        answer.info.default_value = program.keep(*from.default_value);
      }
      return;
    default:
      return;
  }
}

std::shared_ptr<ParameterAnswer> make_answer(Program& program, const ProgramTypes& types,
                                             const gxr::ParameterInfo& from) {
  auto answer = std::make_shared<ParameterAnswer>();
  gxf_parameter_info_t& info = answer->info;
  info.key = program.keep(from.key);
  info.headline = program.keep(from.headline);
  info.description = program.keep(from.description);
  info.platform_information = "";
  info.flags = (from.optional ? GXF_PARAMETER_FLAGS_OPTIONAL : GXF_PARAMETER_FLAGS_NONE) |
               (from.dynamic ? GXF_PARAMETER_FLAGS_DYNAMIC : GXF_PARAMETER_FLAGS_NONE);
  const gxr::ParameterType& element = element_of(from.type, info);
  info.type = type_of(element.kind);
  if (element.kind == Kind::Handle) {
    const ProgramTypes::Type* const type = types.find(std::string_view(element.name));
    const TypeRecord* const record = FindType(types.name_of(element.name));
    info.handle_tid = type != nullptr ? type->tid : record != nullptr ? record->tid : GxfTidNull();
  }
  add_typed(*answer, element.kind, from, program);
  return answer;
}

gxf_result_t parameter_info(gxf_context_t context, gxf_tid_t tid, const char* key,
                            gxf_parameter_info_t* info, const char* function) noexcept {
  return with_program(
      context,
      [&](Program& program) {
        if (key == nullptr || info == nullptr) {
          return GXF_ARGUMENT_NULL;
        }
        const std::shared_ptr<const ProgramTypes> types = program.types();
        const ProgramTypes::Type* const type = types->find(tid);
        if (type == nullptr) {
          return GXF_FACTORY_UNKNOWN_TID;
        }
        for (const gxr::ParameterInfo& parameter : type->info->parameters) {
          if (parameter.key == key) {
            *info = program
                        .keep_made<ParameterAnswer>(
                            type->name + " " + key,
                            [&] { return make_answer(program, *types, parameter); })
                        .info;
            return GXF_SUCCESS;
          }
        }
        return GXF_PARAMETER_NOT_FOUND;
      },
      function);
}

}  // namespace
}  // namespace nvidia::gxf::layer

using namespace nvidia::gxf;  // NOLINT(google-build-using-namespace)

gxf_result_t GxfRuntimeInfo(gxf_context_t context, gxf_runtime_info* info) {
  return layer::with_program(context, [&](layer::Program& program) {
    if (info == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    info->version = kGxfCoreVersion;
    std::vector<gxf_tid_t> ids;
    const std::shared_ptr<const layer::ProgramTypes> types = program.types();
    for (const layer::ProgramTypes::Extension& extension : types->extensions()) {
      ids.push_back(extension.tid);
    }
    return layer::copy_list(ids, info->extensions, &info->num_extensions);
  });
}

gxf_result_t GxfExtensionInfo(gxf_context_t context, gxf_tid_t tid, gxf_extension_info_t* info) {
  return layer::with_program(context, [&](layer::Program& program) {
    if (info == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    const std::shared_ptr<const layer::ProgramTypes> types = program.types();
    const layer::ProgramTypes::Extension* const extension = types->extension(tid);
    if (extension == nullptr) {
      return GXF_EXTENSION_NOT_FOUND;
    }
    const gxr::ExtensionInfo& from = extension->info;
    info->id = extension->tid;
    info->name = program.keep(from.name);
    info->description = program.keep(from.description);
    info->version = program.keep(from.version);
    info->runtime_version = kGxfCoreVersion;
    info->license = program.keep(from.license);
    info->author = "";
    info->display_name = info->name;
    info->category = "";
    info->brief = info->description;
    std::vector<gxf_tid_t> ids;
    for (const layer::ProgramTypes::Type* const type : extension->types) {
      ids.push_back(type->tid);
    }
    return layer::copy_list(ids, info->components, &info->num_components);
  });
}

gxf_result_t GxfComponentInfo(gxf_context_t context, gxf_tid_t tid, gxf_component_info_t* info) {
  return layer::with_program(context, [&](layer::Program& program) {
    if (info == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    const std::shared_ptr<const layer::ProgramTypes> types = program.types();
    const layer::ProgramTypes::Type* const type = types->find(tid);
    if (type == nullptr) {
      return GXF_FACTORY_UNKNOWN_TID;
    }
    const gxr::TypeInfo& from = *type->info;
    info->cid = tid;
    info->base_name = program.keep(from.base.empty() ? "" : types->name_of(from.base));
    info->is_abstract = from.abstract ? 1 : 0;
    info->type_name = program.keep(type->name);
    info->display_name = "";
    info->brief = program.keep(from.headline);
    info->description = program.keep(from.description);
    std::vector<const char*> keys;
    for (const gxr::ParameterInfo& parameter : from.parameters) {
      keys.push_back(program.keep(parameter.key));
    }
    return layer::copy_list(keys, info->parameters, &info->num_parameters);
  });
}

gxf_result_t GxfParameterInfo(gxf_context_t context, gxf_tid_t tid, const char* key,
                              gxf_parameter_info_t* info) {
  return layer::parameter_info(context, tid, key, info, __func__);
}

gxf_result_t GxfGetParameterInfo(gxf_context_t context, gxf_tid_t tid, const char* key,
                                 gxf_parameter_info_t* info) {
  return layer::parameter_info(context, tid, key, info, __func__);
}
