#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "gxr/allocator.hpp"
#include "gxr/clock.hpp"
#include "gxr/codelet.hpp"
#include "gxr/component.hpp"
#include "gxr/controller.hpp"
#include "gxr/export.hpp"
#include "gxr/graph_operator.hpp"
#include "gxr/interface.hpp"
#include "gxr/monitor.hpp"
#include "gxr/queue.hpp"
#include "gxr/resource.hpp"
#include "gxr/scheduler.hpp"
#include "gxr/scheduling_term.hpp"
#include "gxr/type_info.hpp"
#include "gxr/type_name.hpp"

namespace gxr {

namespace detail {

/// The nearest base of T among the SDK's own base types, used when an extension does not name one.
template <class T>
constexpr std::string_view default_base() {
  const auto derived = [](auto* base) {
    using Base = std::remove_pointer_t<decltype(base)>;
    return std::is_base_of_v<Base, T> && !std::is_same_v<Base, T>;
  };
  if (derived(static_cast<Codelet*>(nullptr))) return type_name<Codelet>();
  if (derived(static_cast<Receiver*>(nullptr))) return type_name<Receiver>();
  if (derived(static_cast<Transmitter*>(nullptr))) return type_name<Transmitter>();
  if (derived(static_cast<Queue*>(nullptr))) return type_name<Queue>();
  if (derived(static_cast<SchedulingTerm*>(nullptr))) return type_name<SchedulingTerm>();
  if (derived(static_cast<SchedulingTermCombiner*>(nullptr))) {
    return type_name<SchedulingTermCombiner>();
  }
  if (derived(static_cast<Controller*>(nullptr))) return type_name<Controller>();
  if (derived(static_cast<Monitor*>(nullptr))) return type_name<Monitor>();
  if (derived(static_cast<ResourceBase*>(nullptr))) return type_name<ResourceBase>();
  if (derived(static_cast<Clock*>(nullptr))) return type_name<Clock>();
  if (derived(static_cast<Allocator*>(nullptr))) return type_name<Allocator>();
  if (derived(static_cast<Scheduler*>(nullptr))) return type_name<Scheduler>();
  if (derived(static_cast<System*>(nullptr))) return type_name<System>();
  if (derived(static_cast<Component*>(nullptr))) return type_name<Component>();
  return {};
}

template <class Method>
inline constexpr bool is_tick = false;
template <class T>
inline constexpr bool is_tick<void (T::*)()> = true;
template <class T>
inline constexpr bool is_tick<void (T::*)() noexcept> = true;

/// A public method of T that may be meant for tick(), or "".
template <class T>
constexpr std::string_view like_tick() {
  if constexpr (requires(T & codelet) { codelet.Tick(); }) return "Tick()";
  if constexpr (requires(T & codelet) { codelet.ticks(); }) return "ticks()";
  if constexpr (requires(T & codelet) { codelet.tik(); }) return "tik()";
  if constexpr (requires(T & codelet) { codelet.tick_(); }) return "tick_()";
  if constexpr (requires(T & codelet) { codelet.on_tick(); }) return "on_tick()";
  if constexpr (requires(T & codelet) { codelet.onTick(); }) return "onTick()";
  if constexpr (requires(T & codelet) { codelet.compute(); }) return "compute()";
  if constexpr (requires(T & codelet) { codelet.process(); }) return "process()";
  if constexpr (requires(T & codelet) { codelet.execute(); }) return "execute()";
  if constexpr (requires(T & codelet) { codelet.update(); }) return "update()";
  if constexpr (requires(T & codelet) { codelet.step(); }) return "step()";
  if constexpr (requires(T & codelet) { codelet.run(); }) return "run()";
  return {};
}

/// The methods that an abstract codelet lacks, in words; "" when they cannot be seen from outside.
template <class T>
std::string why_abstract() {
  if constexpr (requires { &T::tick; }) {
    using Tick = decltype(&T::tick);
    if constexpr (std::is_same_v<Tick, void (Codelet::*)()>) {
      constexpr std::string_view meant = like_tick<T>();
      return meant.empty() ? "it does not override tick()"
                           : "it does not override tick(); is its " + std::string(meant) +
                                 " meant to be 'void tick() override'?";
    } else if constexpr (!is_tick<Tick>) {
      return "its tick() has other parameters than that of gxr::Codelet, or is const";
    }
  }
  if constexpr (std::is_base_of_v<GraphOperator, T>) {
    if constexpr (requires { &T::infer; }) {
      if constexpr (std::is_same_v<decltype(&T::infer), void (GraphOperator::*)(ShapeContext&)>) {
        return "it does not override infer()";
      }
    }
    if constexpr (requires { &T::capture; }) {
      if constexpr (std::is_same_v<decltype(&T::capture),
                                   void (GraphOperator::*)(CaptureContext&)>) {
        return "it does not override capture()";
      }
    }
  }
  return {};
}

}  // namespace detail

/// What a registered type says of itself beyond its name; returned by Extension::add, to be
/// chained.
class GXR_API TypeDeclaration {
 public:
  /// Another name under which YAML may use the type.
  TypeDeclaration& alias(std::string_view name);
  /// A text as long as needed; `gxr describe TYPE` prints it below the headline.
  TypeDeclaration& description(std::string_view text);
  /// Fixed identity (GXF's, for types that GXF has).
  TypeDeclaration& id(std::uint64_t hash1, std::uint64_t hash2);

 private:
  friend class Extension;

  explicit TypeDeclaration(TypeInfo* info) noexcept : info_(info) {}

  TypeInfo* info_;
};

/// What an extension's factory fills: `extern "C" void gxr_extension(gxr::Extension& extension)`.
class GXR_API Extension {
 public:
  /// Makes a component with `new`.
  using Create = Component* (*)();

  virtual ~Extension();

  /// Registers component type T under its C++ name. Base is the type that handles to T may name;
  /// when left out, the nearest of the SDK's base types. An abstract T can only be a base;
  /// gxr-declare warns of an abstract codelet that nothing in the extension is derived from.
  template <class T, class Base = void>
  TypeDeclaration add(std::string_view headline) {
    static_assert(std::is_base_of_v<Component, T>,
                  "only components are added; data types use add_data");
    TypeInfo info;
    info.name = type_name<T>();
    if constexpr (std::is_void_v<Base>) {
      info.base = detail::default_base<T>();
    } else {
      static_assert(std::is_base_of_v<Base, T>, "Base is not a base of T");
      info.base = type_name<Base>();
    }
    info.id = TypeIdOf<T>::value;
    info.headline = headline;
    info.abstract = std::is_abstract_v<T>;
    if constexpr (std::is_abstract_v<T> && std::is_base_of_v<Codelet, T>) {
      info.why_abstract = detail::why_abstract<T>();
    }
    Create create = nullptr;
    if constexpr (!std::is_abstract_v<T>) {
      create = []() -> Component* { return new T(); };
    }
    return TypeDeclaration(add_type(std::move(info), create));
  }

  /// Registers T as a base only, even where C++ could make one: handles may name it, `components:`
  /// may not.
  template <class T>
  TypeDeclaration add_base(std::string_view headline) {
    static_assert(std::is_base_of_v<Component, T>,
                  "only components are added; data types use add_data");
    TypeInfo info;
    info.name = type_name<T>();
    info.base = detail::default_base<T>();
    info.id = TypeIdOf<T>::value;
    info.headline = headline;
    info.abstract = true;
    return TypeDeclaration(add_type(std::move(info), nullptr));
  }

  /// Registers a type that `info` describes, for layers that bring types of other systems:
  /// parameters, ports and capabilities come from declare() of what `create` makes. `create` is
  /// null for abstract types and for data types.
  TypeDeclaration add(TypeInfo info, Create create) {
    return TypeDeclaration(add_type(std::move(info), create));
  }

  /// Registers a data type for messages (no parameters, not usable under `components:`).
  template <class T>
  TypeDeclaration add_data(std::string_view headline) {
    TypeInfo info;
    info.name = type_name<T>();
    info.id = TypeIdOf<T>::value;
    info.headline = headline;
    info.component = false;
    return TypeDeclaration(add_type(std::move(info), nullptr));
  }

 protected:
  /// Returns where the info is kept, for TypeDeclaration. `create` is null for abstract and data
  /// types.
  virtual TypeInfo* add_type(TypeInfo info, Create create) = 0;
};

}  // namespace gxr

/// Every extension defines this function. It only registers types: gxr calls it whenever it needs
/// the list of them, several times in a process and in a run, each time with another object, which
/// is gone after the call. Calls come from any thread, and two at once where a program runs several
/// applications, so what the function does must not depend on whether it ran before. A constructor
/// that it registers runs once for each component of a run. The build of an extension and plans
/// make components, too, to ask what they declare and infer, and let them go, not initialized.
extern "C" __attribute__((visibility("default"))) void gxr_extension(gxr::Extension& extension);
