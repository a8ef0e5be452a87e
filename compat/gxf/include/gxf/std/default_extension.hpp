#pragma once

#include <memory>
#include <string>
#include <type_traits>

#include "common/type_name.hpp"
#include "gxf/core/component.hpp"
#include "gxf/core/type_record.hpp"
#include "gxf/std/codelet.hpp"

namespace gxr {

class Extension;

}  // namespace gxr

namespace nvidia {
namespace gxf {

namespace layer {

/// A type that an extension registers.
struct Registration {
  gxf_tid_t tid{};
  const char* name = nullptr;
  const char* base = nullptr;  ///< nullptr: none
  const char* description = "";
  const char* display_name = "";
  const char* brief = "";
  bool is_component = false;
  PartFunctions functions;
  gxr::Component* (*create)() = nullptr;  ///< of components that are not abstract
};

template <typename T, typename = void>
struct IsOnlyOfGxr : std::false_type {};
template <typename T>
struct IsOnlyOfGxr<T, std::void_t<typename T::OnlyOfGxr>> : std::true_type {};

/// Has T a copy constructor that compiles? That of a container is declared for elements of any
/// type.
template <typename T, typename = void>
struct IsCopied : std::is_copy_constructible<T> {};
template <typename T>
struct IsCopied<T, std::void_t<typename T::value_type>>
    : std::bool_constant<std::is_copy_constructible_v<T> &&
                         (std::is_same_v<typename T::value_type, T> ||
                          IsCopied<typename T::value_type>::value)> {};

template <typename T>
PartFunctions FunctionsOf() {
  PartFunctions functions;
  functions.size = sizeof(T);
  functions.alignment = alignof(T);
  functions.destroy = [](void* part) noexcept { static_cast<T*>(part)->~T(); };
  functions.type_name = [] { return std::string_view(TypenameAsString<T>()); };
  if constexpr (std::is_default_constructible_v<T>) {
    functions.construct = [](void* memory) { ::new (memory) T{}; };
  }
  if constexpr (IsCopied<T>::value && !std::is_base_of_v<Component, T>) {
    functions.copy = [](const void* from, void* to, gxr::DeviceWork&) {
      ::new (to) T(*static_cast<const T*>(from));
    };
  }
  return functions;
}

class ExtensionRecord;

}  // namespace layer

/// What the factory of an extension fills.
class GXR_GXF_API DefaultExtension {
 public:
  DefaultExtension();
  ~DefaultExtension();
  DefaultExtension(const DefaultExtension&) = delete;
  DefaultExtension& operator=(const DefaultExtension&) = delete;

  Expected<void> setInfo(gxf_tid_t tid, const char* name, const char* description,
                         const char* author, const char* version, const char* license);
  Expected<void> setDisplayInfo(const char* display_name, const char* category, const char* brief);
  Expected<void> checkInfo();
  gxf_tid_t tid() const;

  /// Registers a component type with its registered base, or a data type.
  template <typename T, typename Base = void>
  Expected<void> add(gxf_tid_t tid, const char* description, const char* display_name = "",
                     const char* brief = "") {
    static_assert(!layer::IsOnlyOfGxr<T>::value,
                  "queues, clocks, resources, schedulers and the like are gxr's own: an extension "
                  "cannot bring another one. See docs/gxf-sources.md");
    layer::Registration type;
    type.tid = tid;
    type.name = TypenameAsString<T>();
    type.description = description;
    type.display_name = display_name;
    type.brief = brief;
    type.is_component = std::is_base_of_v<Component, T>;
    if constexpr (!std::is_void_v<Base>) {
      static_assert(std::is_base_of_v<Base, T>, "the registered base is no base class of the type");
      static_assert(!std::is_base_of_v<Codelet, T> || std::is_base_of_v<Codelet, Base>,
                    "the registered base of a codelet has to be Codelet or derived from it");
      type.base = TypenameAsString<Base>();
    }
    if constexpr (!std::is_abstract_v<T>) {
      type.functions = layer::FunctionsOf<T>();
      if constexpr (std::is_base_of_v<Component, T>) {
        type.create = []() -> gxr::Component* { return (new T())->make_adapter(); };
      }
    }
    return ExpectedOrCode(add_type(type));
  }

  // Of the layer.
  const layer::ExtensionRecord& record() const { return *record_; }

 private:
  gxf_result_t add_type(const layer::Registration& type);

  std::unique_ptr<layer::ExtensionRecord> record_;
};

namespace layer {

/// Makes the types of the factory known to all extensions. False: there is no factory, or it fails.
GXR_GXF_API bool RegisterTypes(gxf_result_t (*factory)(void**)) noexcept;
/// Tells gxr of the types that the factory registers. `fingerprint` is that of the headers that
/// the extension was compiled with. Throws gxr::Error.
GXR_GXF_API void RegisterExtension(gxr::Extension& extension, gxf_result_t (*factory)(void**),
                                   std::uint64_t fingerprint);

}  // namespace layer

}  // namespace gxf
}  // namespace nvidia
