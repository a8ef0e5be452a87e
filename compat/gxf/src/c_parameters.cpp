#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "adapters.hpp"
#include "c_api.hpp"
#include "gxf/core/filepath.hpp"
#include "gxf/core/gxf.h"

// The C interface: parameters. Those of a program's application are its settings; while its
// components are made, for its codelets, and in applications that gxr runs, they are read and
// written at once.

namespace nvidia::gxf::layer {
namespace {

/// The program whose settings a parameter of `cid` belongs to; nullptr: the component has it.
Program* program_of(Context& context, gxf_uid_t cid) {
  return cid < Context::kFirstOfMessages && !ComponentCall::is_in(context) ? context.program()
                                                                           : nullptr;
}

ParameterSlot* slot_of(Context& context, gxf_uid_t cid, const char* key) {
  auto* const adapter = dynamic_cast<Adapter*>(context.component(cid));
  return adapter != nullptr ? adapter->parameter(key) : nullptr;
}

template <class T>
gxf_result_t set_parameter(const char* function, gxf_context_t context, gxf_uid_t cid,
                           const char* key, const T& value) noexcept {
  return with_context(
      context,
      [&](Context& known) {
        if (key == nullptr) {
          return GXF_ARGUMENT_NULL;
        }
        if (Program* const program = program_of(known, cid); program != nullptr) {
          return program->set(cid, key, Setting(value));
        }
        const std::shared_lock use(known.use());
        ParameterSlot* const slot = slot_of(known, cid, key);
        if (slot == nullptr) {
          return GXF_PARAMETER_NOT_FOUND;
        }
        const bool is_assigned = slot->assign(detail::TypeKey<T>(), &value);
        if constexpr (IsText<T>::value) {
          using Other = typename IsText<T>::Other;
          const Other other(value);
          if (!is_assigned && slot->assign(detail::TypeKey<Other>(), &other)) {
            return GXF_SUCCESS;
          }
        }
        return is_assigned ? GXF_SUCCESS : GXF_PARAMETER_INVALID_TYPE;
      },
      function);
}

/// Calls `take` with the value.
template <class T, class F>
gxf_result_t get_parameter(const char* function, gxf_context_t context, gxf_uid_t cid,
                           const char* key, F&& take) noexcept {
  return with_context(
      context,
      [&](Context& known) {
        if (key == nullptr) {
          return GXF_ARGUMENT_NULL;
        }
        if (Program* const program = program_of(known, cid); program != nullptr) {
          T value{};
          const gxf_result_t code = program->get(cid, key, value);
          return code == GXF_SUCCESS ? take(known, value) : code;
        }
        const std::shared_lock use(known.use());
        ParameterSlot* const slot = slot_of(known, cid, key);
        if (slot == nullptr) {
          return GXF_PARAMETER_NOT_FOUND;
        }
        if (!slot->has_value()) {
          return GXF_PARAMETER_NOT_INITIALIZED;
        }
        const void* const found = slot->value_if(detail::TypeKey<T>());
        if constexpr (IsText<T>::value) {
          using Other = typename IsText<T>::Other;
          const void* const other = slot->value_if(detail::TypeKey<Other>());
          if (other != nullptr) {
            return take(known, *static_cast<const Other*>(other));
          }
        }
        return found != nullptr ? take(known, *static_cast<const T*>(found))
                                : GXF_PARAMETER_INVALID_TYPE;
      },
      function);
}

template <class T>
gxf_result_t get_value(const char* function, gxf_context_t context, gxf_uid_t cid, const char* key,
                       T* value) noexcept {
  if (value == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  return get_parameter<T>(function, context, cid, key, [&](Context&, const T& found) {
    *value = found;
    return GXF_SUCCESS;
  });
}

/// The text lives as long as the context, or as the parameter has it.
template <class T>
gxf_result_t get_text(const char* function, gxf_context_t context, gxf_uid_t cid, const char* key,
                      const char** value) noexcept {
  if (value == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  return get_parameter<T>(
      function, context, cid, key, [&](Context& known, const std::string& found) {
        *value = program_of(known, cid) != nullptr ? known.program()->keep(found) : found.c_str();
        return GXF_SUCCESS;
      });
}

template <class T>
gxf_result_t set_vector(const char* function, gxf_context_t context, gxf_uid_t cid, const char* key,
                        const T* value, std::uint64_t length) noexcept {
  if (value == nullptr && length > 0) {
    return GXF_ARGUMENT_NULL;
  }
  return guarded([&] {
    return set_parameter(function, context, cid, key, std::vector<T>(value, value + length));
  });
}

/// One pointer for each row.
template <class T>
using Rows = T**;

template <class T>
gxf_result_t set_rows(const char* function, gxf_context_t context, gxf_uid_t cid, const char* key,
                      T** value, std::uint64_t height, std::uint64_t width) noexcept {
  if (value == nullptr && height > 0) {
    return GXF_ARGUMENT_NULL;
  }
  return guarded([&] {
    std::vector<std::vector<T>> rows;
    for (std::uint64_t i = 0; i < height; ++i) {
      if (value[i] == nullptr && width > 0) {
        return GXF_ARGUMENT_NULL;
      }
      rows.emplace_back(value[i], value[i] + width);
    }
    return set_parameter(function, context, cid, key, rows);
  });
}

template <class T>
gxf_result_t get_length(const char* function, gxf_context_t context, gxf_uid_t cid, const char* key,
                        std::uint64_t* length) noexcept {
  if (length == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  return get_parameter<std::vector<T>>(function, context, cid, key,
                                       [&](Context&, const std::vector<T>& found) {
                                         *length = found.size();
                                         return GXF_SUCCESS;
                                       });
}

template <class T>
gxf_result_t get_vector(const char* function, gxf_context_t context, gxf_uid_t cid, const char* key,
                        T* value, std::uint64_t* length) noexcept {
  if (length == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  return get_parameter<std::vector<T>>(
      function, context, cid, key,
      [&](Context&, const std::vector<T>& found) { return copy_list(found, value, length); });
}

/// Height and width of rows of one length; false: they have several.
template <class T>
bool shape_of(const std::vector<std::vector<T>>& rows, std::uint64_t& height,
              std::uint64_t& width) {
  height = rows.size();
  width = rows.empty() ? 0 : rows.front().size();
  for (const std::vector<T>& row : rows) {
    if (row.size() != width) {
      return false;
    }
  }
  return true;
}

template <class T>
gxf_result_t get_shape(const char* function, gxf_context_t context, gxf_uid_t cid, const char* key,
                       std::uint64_t* height, std::uint64_t* width) noexcept {
  if (height == nullptr || width == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  return get_parameter<std::vector<std::vector<T>>>(
      function, context, cid, key, [&](Context&, const std::vector<std::vector<T>>& rows) {
        return shape_of(rows, *height, *width) ? GXF_SUCCESS : GXF_PARAMETER_INVALID_TYPE;
      });
}

template <class T>
gxf_result_t get_rows(const char* function, gxf_context_t context, gxf_uid_t cid, const char* key,
                      T** value, std::uint64_t* height, std::uint64_t* width) noexcept {
  if (height == nullptr || width == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  return get_parameter<std::vector<std::vector<T>>>(
      function, context, cid, key, [&](Context&, const std::vector<std::vector<T>>& rows) {
        const std::uint64_t room_height = *height;
        const std::uint64_t room_width = *width;
        if (!shape_of(rows, *height, *width)) {
          return GXF_PARAMETER_INVALID_TYPE;
        }
        if (room_height < *height || room_width < *width) {
          return GXF_QUERY_NOT_ENOUGH_CAPACITY;
        }
        for (std::size_t i = 0; i < rows.size(); ++i) {
          if (value == nullptr || value[i] == nullptr) {
            return GXF_ARGUMENT_NULL;
          }
          std::copy(rows[i].begin(), rows[i].end(), value[i]);
        }
        return GXF_SUCCESS;
      });
}

}  // namespace
}  // namespace nvidia::gxf::layer

using namespace nvidia::gxf;  // NOLINT(google-build-using-namespace)

#define GXR_GXF_PARAMETER(NAME, TYPE)                                                       \
  gxf_result_t GxfParameterSet##NAME(gxf_context_t context, gxf_uid_t uid, const char* key, \
                                     TYPE value) {                                          \
    return layer::set_parameter<TYPE>(__func__, context, uid, key, value);                  \
  }
GXR_GXF_PARAMETER(Int8, int8_t)
GXR_GXF_PARAMETER(Int16, int16_t)
GXR_GXF_PARAMETER(Int32, int32_t)
GXR_GXF_PARAMETER(Int64, int64_t)
GXR_GXF_PARAMETER(UInt8, uint8_t)
GXR_GXF_PARAMETER(UInt16, uint16_t)
GXR_GXF_PARAMETER(UInt32, uint32_t)
GXR_GXF_PARAMETER(UInt64, uint64_t)
GXR_GXF_PARAMETER(Float32, float)
GXR_GXF_PARAMETER(Float64, double)
GXR_GXF_PARAMETER(Bool, bool)
#undef GXR_GXF_PARAMETER

#define GXR_GXF_PARAMETER(NAME, TYPE)                                                       \
  gxf_result_t GxfParameterGet##NAME(gxf_context_t context, gxf_uid_t uid, const char* key, \
                                     std::add_pointer_t<TYPE> value) {                      \
    return layer::get_value<TYPE>(__func__, context, uid, key, value);                      \
  }
GXR_GXF_PARAMETER(Int32, int32_t)
GXR_GXF_PARAMETER(Int64, int64_t)
GXR_GXF_PARAMETER(UInt16, uint16_t)
GXR_GXF_PARAMETER(UInt32, uint32_t)
GXR_GXF_PARAMETER(UInt64, uint64_t)
GXR_GXF_PARAMETER(Float32, float)
GXR_GXF_PARAMETER(Float64, double)
GXR_GXF_PARAMETER(Bool, bool)
#undef GXR_GXF_PARAMETER

#define GXR_GXF_PARAMETER(NAME, TYPE)                                                             \
  gxf_result_t GxfParameterSet1D##NAME##Vector(gxf_context_t context, gxf_uid_t uid,              \
                                               const char* key, std::add_pointer_t<TYPE> value,   \
                                               uint64_t length) {                                 \
    return layer::set_vector<TYPE>(__func__, context, uid, key, value, length);                   \
  }                                                                                               \
  gxf_result_t GxfParameterSet2D##NAME##Vector(gxf_context_t context, gxf_uid_t uid,              \
                                               const char* key, layer::Rows<TYPE> value,          \
                                               uint64_t height, uint64_t width) {                 \
    return layer::set_rows<TYPE>(__func__, context, uid, key, value, height, width);              \
  }                                                                                               \
  gxf_result_t GxfParameterGet1D##NAME##VectorInfo(gxf_context_t context, gxf_uid_t uid,          \
                                                   const char* key, uint64_t* length) {           \
    return layer::get_length<TYPE>(__func__, context, uid, key, length);                          \
  }                                                                                               \
  gxf_result_t GxfParameterGet1D##NAME##Vector(gxf_context_t context, gxf_uid_t uid,              \
                                               const char* key, std::add_pointer_t<TYPE> value,   \
                                               uint64_t* length) {                                \
    return layer::get_vector<TYPE>(__func__, context, uid, key, value, length);                   \
  }                                                                                               \
  gxf_result_t GxfParameterGet2D##NAME##VectorInfo(                                               \
      gxf_context_t context, gxf_uid_t uid, const char* key, uint64_t* height, uint64_t* width) { \
    return layer::get_shape<TYPE>(__func__, context, uid, key, height, width);                    \
  }                                                                                               \
  gxf_result_t GxfParameterGet2D##NAME##Vector(gxf_context_t context, gxf_uid_t uid,              \
                                               const char* key, layer::Rows<TYPE> value,          \
                                               uint64_t* height, uint64_t* width) {               \
    return layer::get_rows<TYPE>(__func__, context, uid, key, value, height, width);              \
  }
GXR_GXF_PARAMETER(Float64, double)
GXR_GXF_PARAMETER(Int64, int64_t)
GXR_GXF_PARAMETER(UInt64, uint64_t)
GXR_GXF_PARAMETER(Int32, int32_t)
#undef GXR_GXF_PARAMETER

gxf_result_t GxfParameterSetStr(gxf_context_t context, gxf_uid_t uid, const char* key,
                                const char* value) {
  if (key == nullptr || value == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  if (std::strcmp(key, kInternalNameParameterKey) == 0) {
    return layer::with(context, [&](layer::Context& known) { return known.rename(uid, value); });
  }
  return layer::set_parameter<std::string>(__func__, context, uid, key, value);
}

gxf_result_t GxfParameterSetPath(gxf_context_t context, gxf_uid_t uid, const char* key,
                                 const char* value) {
  if (value == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  return layer::set_parameter<FilePath>(__func__, context, uid, key, FilePath(value));
}

gxf_result_t GxfParameterSet1DStrVector(gxf_context_t context, gxf_uid_t uid, const char* key,
                                        const char* value[], uint64_t length) {
  if (value == nullptr && length > 0) {
    return GXF_ARGUMENT_NULL;
  }
  return layer::guarded([&] {
    std::vector<std::string> texts;
    for (std::uint64_t i = 0; i < length; ++i) {
      if (value[i] == nullptr) {
        return GXF_ARGUMENT_NULL;
      }
      texts.emplace_back(value[i]);
    }
    return layer::set_parameter("GxfParameterSet1DStrVector", context, uid, key, texts);
  });
}

gxf_result_t GxfParameterSetHandle(gxf_context_t context, gxf_uid_t uid, const char* key,
                                   gxf_uid_t cid) {
  return layer::with_context(context, [&](layer::Context& known) {
    if (key == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    layer::Program* const program = layer::program_of(known, uid);
    if (program == nullptr) {
      return layer::not_implemented("handles are set before the components are made",
                                    "GxfParameterSetHandle");
    }
    if (program->graph()->component(cid).component == nullptr) {
      return GXF_ENTITY_COMPONENT_NOT_FOUND;
    }
    const std::string name = program->name_of_component(cid);
    if (name.empty()) {
      return layer::not_implemented(
          "what has no name, or is in an entity without one, cannot be the value of a handle",
          "GxfParameterSetHandle");
    }
    return program->set(uid, key, layer::Setting::of_handle(name));
  });
}

gxf_result_t GxfParameterGetStr(gxf_context_t context, gxf_uid_t uid, const char* key,
                                const char** value) {
  if (key != nullptr && std::strcmp(key, kInternalNameParameterKey) == 0) {
    return GxfComponentName(context, uid, value);
  }
  return layer::get_text<std::string>(__func__, context, uid, key, value);
}

gxf_result_t GxfParameterGetPath(gxf_context_t context, gxf_uid_t uid, const char* key,
                                 const char** value) {
  return layer::get_text<FilePath>(__func__, context, uid, key, value);
}

gxf_result_t GxfParameterGetHandle(gxf_context_t context, gxf_uid_t uid, const char* key,
                                   gxf_uid_t* cid) {
  return layer::with_context(context, [&](layer::Context& known) {
    if (key == nullptr || cid == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    if (known.program() != nullptr && uid < layer::Context::kFirstOfMessages) {
      return known.program()->get_handle(uid, key, *cid);
    }
    const std::shared_lock use(known.use());
    const layer::ParameterSlot* const slot = layer::slot_of(known, uid, key);
    if (slot == nullptr) {
      return GXF_PARAMETER_NOT_FOUND;
    }
    if (!slot->has_value()) {
      return GXF_PARAMETER_NOT_INITIALIZED;
    }
    const UntypedHandle* const handle = slot->handle_if();
    if (handle == nullptr) {
      return GXF_PARAMETER_INVALID_TYPE;
    }
    *cid = handle->cid();
    return GXF_SUCCESS;
  });
}

gxf_result_t GxfParameterGet1DStrVector(gxf_context_t context, gxf_uid_t uid, const char* key,
                                        char* value[], uint64_t* count, uint64_t* min_length) {
  if (count == nullptr || min_length == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  return layer::get_parameter<std::vector<std::string>>(
      __func__, context, uid, key, [&](layer::Context&, const std::vector<std::string>& texts) {
        const std::uint64_t room = *count;
        const std::uint64_t room_of_each = *min_length;
        *count = texts.size();
        *min_length = 0;
        for (const std::string& text : texts) {
          *min_length = std::max<std::uint64_t>(*min_length, text.size() + 1);
        }
        if (room < *count || room_of_each < *min_length) {
          return GXF_QUERY_NOT_ENOUGH_CAPACITY;
        }
        for (std::size_t i = 0; i < texts.size(); ++i) {
          if (value == nullptr || value[i] == nullptr) {
            return GXF_ARGUMENT_NULL;
          }
          std::memcpy(value[i], texts[i].c_str(), texts[i].size() + 1);
        }
        return GXF_SUCCESS;
      });
}
