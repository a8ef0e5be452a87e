#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gxf/core/export.hpp"
#include "gxf/core/gxf.h"
#include "gxf/core/handle.hpp"

// How values get from an application's YAML into the parameters of a component.

namespace nvidia {
namespace gxf {
namespace layer {

/// A node of the application's YAML, as gxr has read it.
class GXR_GXF_API ValueView {
 public:
  enum class Kind : std::uint8_t { Null, Scalar, Sequence, Map };

  explicit ValueView(const void* value) noexcept : value_(value) {}

  Kind kind() const noexcept;
  std::string_view text() const noexcept;  ///< of a scalar or null
  bool quoted() const noexcept;
  std::string_view tag() const noexcept;
  std::size_t size() const noexcept;  ///< of a sequence or map
  ValueView at(std::size_t index) const noexcept;
  ValueView key(std::size_t index) const noexcept;
  ValueView value(std::size_t index) const noexcept;
  const void* get() const noexcept { return value_; }  ///< the gxr::Value

 private:
  const void* value_;
};

/// Where a value is read: what parsers get beside the value, and how handles are resolved.
struct ParseSite {
  gxf_context_t context = kNullContext;
  gxf_uid_t cid = kNullUid;
  const char* key = "";
  void* resolver = nullptr;  ///< gxr::ParameterContext
};

// gxr's rules of reading values. They throw gxr::Error with a text that quotes the value.
GXR_GXF_API bool ParseBool(ValueView value);
GXR_GXF_API std::int64_t ParseInt(ValueView value, std::int64_t minimum, std::int64_t maximum);
GXR_GXF_API std::uint64_t ParseUint(ValueView value, std::uint64_t maximum);
GXR_GXF_API double ParseDouble(ValueView value);
GXR_GXF_API float ParseFloat(ValueView value);
GXR_GXF_API std::complex<double> ParseComplex(ValueView value);
GXR_GXF_API std::string ParseString(ValueView value);
GXR_GXF_API std::string ParsePath(ValueView value);
GXR_GXF_API std::string ParseKey(ValueView key, ValueView value);
GXR_GXF_API void RequireList(ValueView value);
GXR_GXF_API void RequireList(ValueView value, std::size_t length);
GXR_GXF_API void RequireMap(ValueView value);
GXR_GXF_API Target ResolveHandle(ValueView value, const ParseSite& site);
/// Throws the gxr::Error of a parser of the source that refused the value.
[[noreturn]] GXR_GXF_API void ThrowRefused(ValueView value, gxf_result_t code);
[[noreturn]] GXR_GXF_API void ThrowTooLong(ValueView value, std::size_t most);

// YAML text of values.
GXR_GXF_API std::string TextOf(bool value);
GXR_GXF_API std::string TextOf(std::int64_t value);
GXR_GXF_API std::string TextOf(std::uint64_t value);
GXR_GXF_API std::string TextOf(double value);
GXR_GXF_API std::string TextOf(float value);
GXR_GXF_API std::string TextOf(const std::string& value);

/// The form of YAML that a parameter accepts; the kinds of gxr::ParameterType, in its order.
struct TypeDescription {
  enum class Kind : std::uint8_t {
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float32,
    Float64,
    Complex64,
    Complex128,
    String,
    File,
    Duration,
    Size,
    Handle,
    Enum,
    List,
    Array,
    Map,
    Pair,
    Any,
  };
  Kind kind = Kind::Any;
  std::string name;                 ///< of a handle or of any type: the C++ type
  std::vector<TypeDescription> of;  ///< of the elements
  std::size_t length = 0;           ///< of an array; the most of a list or text, 0 for no bound
};

/// The part of a Parameter<T> that the engine deals with.
class GXR_GXF_API ParameterSlot {
 public:
  ParameterSlot() = default;
  // The lock and the count are each one's own.
  ParameterSlot(const ParameterSlot&) noexcept {}
  ParameterSlot& operator=(const ParameterSlot&) noexcept { return *this; }
  virtual ~ParameterSlot();

  /// Reads the value; throws gxr::Error.
  virtual void read(ValueView value, const ParseSite& site) = 0;
  virtual bool has_value() const noexcept = 0;
  /// The value as YAML text; empty when there is none or it has no such form.
  virtual std::string text() const = 0;
  /// Another one of the same type, without a value.
  virtual ParameterSlot* make_another() const = 0;
  /// Exchanges values with one of the same type.
  virtual void swap_value(ParameterSlot& other) = 0;
  /// The value, if there is one and its type has this detail::TypeKey().
  virtual const void* value_if(std::string_view type) const noexcept = 0;
  /// Copies the value for another thread, if there is one and its type has this key; `swaps` is
  /// swaps() of that moment.
  virtual bool copy_if(std::string_view type, void* value, std::uint64_t& swaps) const = 0;
  /// How often swap_value() gave another value.
  std::uint64_t swaps() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return swaps_;
  }
  /// Sets the value, if its type has this key.
  virtual bool assign(std::string_view type, const void* value) = 0;
  /// The component that the value refers to; nullptr: it is no handle.
  virtual const UntypedHandle* handle_if() const noexcept = 0;

 protected:
  // Whoever changes the value locks, and so do other threads that read it. The component reads its
  // own parameters without: nobody else changes them in its methods.
  mutable std::mutex mutex_;
  std::uint64_t swaps_ = 0;
};

/// A component's description of a parameter, for its registrar.
struct ParameterDescription {
  const char* key = nullptr;
  const char* headline = nullptr;
  const char* description = nullptr;
  gxf_parameter_flags_t flags = GXF_PARAMETER_FLAGS_NONE;
  TypeDescription type;
  std::optional<std::string> default_value;  ///< YAML text
  bool has_default = false;                  ///< also one that has no text
  std::optional<double> minimum;
  std::optional<double> maximum;
  std::optional<double> step;
};

}  // namespace layer
}  // namespace gxf
}  // namespace nvidia
