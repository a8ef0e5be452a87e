#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gxr/export.hpp"
#include "gxr/parameter.hpp"
#include "gxr/port.hpp"
#include "gxr/type_info.hpp"

namespace gxr {

/// What a parameter says of itself beyond key and type; returned by Interface::parameter, to be
/// chained:
///   interface.parameter(gain_, "gain", "Factor on every
///   sample").default_value(1.0).range(0.0, 16.0);
template <class T>
class ParameterDeclaration {
 public:
  /// For Interface: `info` is null when only the member is bound.
  ParameterDeclaration(Parameter<T>& member, ParameterInfo* info) noexcept
      : member_(member), info_(info) {}

  /// Value when the YAML gives none. Without a default and without optional() the parameter is
  /// mandatory.
  ParameterDeclaration& default_value(T value) {
    if (info_ != nullptr) {
      info_->default_value = ParameterTraits<T>::to_yaml(value);
    }
    member_.set(std::move(value));
    return *this;
  }
  /// The parameter may stay without a value.
  ParameterDeclaration& optional() {
    return edit([](ParameterInfo& i) { i.optional = true; });
  }
  /// The parameter may be changed while the application runs, by Application::set(): between two
  /// ticks of its entity, never in one.
  ParameterDeclaration& dynamic() {
    return edit([](ParameterInfo& i) { i.dynamic = true; });
  }
  /// A text as long as needed, for people.
  ParameterDeclaration& description(std::string_view text) {
    return edit([&](ParameterInfo& i) { i.description = text; });
  }
  /// Unit of the value, for people: "ms", "bytes".
  ParameterDeclaration& unit(std::string_view unit) {
    return edit([&](ParameterInfo& i) { i.unit = unit; });
  }
  /// Least and greatest allowed value, inclusive; of each element for lists. Checked before the app
  /// runs.
  ParameterDeclaration& range(double minimum, double maximum) {
    return edit([&](ParameterInfo& i) { i.minimum = minimum, i.maximum = maximum; });
  }
  /// Least allowed value, inclusive; otherwise like range().
  ParameterDeclaration& minimum(double minimum) {
    return edit([&](ParameterInfo& i) { i.minimum = minimum; });
  }
  /// Distance of sensible values, for editors; not checked.
  ParameterDeclaration& step(double step) {
    return edit([&](ParameterInfo& i) { i.step = step; });
  }
  /// The only allowed values, with one line on each. Checked before the app runs.
  ParameterDeclaration& choices(
      std::initializer_list<std::pair<std::string_view, std::string_view>> choices) {
    return edit([&](ParameterInfo& i) {
      for (const auto& [name, text] : choices) {
        i.choices.push_back({std::string(name), std::string(text)});
      }
    });
  }

 private:
  template <class F>
  ParameterDeclaration& edit(F&& change) {
    if (info_ != nullptr) {
      change(*info_);
    }
    return *this;
  }

  Parameter<T>& member_;
  ParameterInfo* info_;
};

/// Collects what a component declares of itself in Component::declare. The same function runs once
/// to describe the type and once for every instance, so it has no side effects.
class GXR_API Interface {
 public:
  /// A key of a component and the member it fills.
  struct Binding {
    std::string_view key;   ///< a string literal of the component
    ParameterBase* member;  ///< of the component
  };

  /// Binds instances only.
  Interface() = default;
  /// Also writes parameters and ports of the type into `info`.
  explicit Interface(TypeInfo& info) noexcept : info_(&info) {}
  Interface(const Interface&) = delete;
  Interface& operator=(const Interface&) = delete;
  ~Interface() = default;

  /// A parameter with its YAML key and one line on it. `key` must outlive the component: use a
  /// literal.
  template <class T>
  ParameterDeclaration<T> parameter(Parameter<T>& member, std::string_view key,
                                    std::string_view headline, std::string_view description = {}) {
    bindings_.push_back({key, &member});
    member.set_key(key);
    if (info_ == nullptr) {
      return {member, nullptr};
    }
    ParameterInfo info;
    info.key = key;
    info.type = ParameterTraits<T>::type();
    info.headline = headline;
    info.description = description;
    return {member, add(std::move(info))};
  }

  /// An input port, with its YAML key and one line on it. `key` must outlive the component.
  template <class T>
  PortDeclaration input(Input<T>& member, std::string_view key, std::string_view headline) {
    return port<T>(static_cast<InputPort&>(member).handle_, PortInfo::Direction::Input, key,
                   headline);
  }
  /// An output port.
  template <class T>
  PortDeclaration output(Output<T>& member, std::string_view key, std::string_view headline) {
    return port<T>(static_cast<OutputPort&>(member).handle_, PortInfo::Direction::Output, key,
                   headline);
  }

  /// The codelet sends on, unchanged, what comes to the receivers that its parameters name, on the
  /// transmitters that they name; where they name none, it is all of its entity. So what is known
  /// of the ones is true of the others.
  void passes_messages() {
    if (info_ != nullptr) {
      info_->passes_messages = true;
    }
  }

  // --- for the engine
  // ------------------------------------------------------------------------------------
  /// What was declared, in that order.
  [[nodiscard]] const std::vector<Binding>& bindings() const noexcept { return bindings_; }
  /// Forgets the bindings.
  void clear() noexcept { bindings_.clear(); }

 private:
  template <class T, class Member>
  PortDeclaration port(Member& member, PortInfo::Direction direction, std::string_view key,
                       std::string_view headline) {
    parameter(member, key, headline);
    PortDeclaration declaration = add_port(key, direction);
    if constexpr (!std::is_same_v<T, AnyMessage>) {
      declaration.part<T>();
    }
    return declaration;
  }

  ParameterInfo* add(ParameterInfo info);
  PortDeclaration add_port(std::string_view key, PortInfo::Direction direction);

  std::vector<Binding> bindings_;
  TypeInfo* info_ = nullptr;
};

}  // namespace gxr
