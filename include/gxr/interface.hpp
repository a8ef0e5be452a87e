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
///
///   interface.parameter(gain_, "gain", "Factor on every sample")
///       .default_value(1.0)
///       .range(0.0, 16.0);
template <class T>
class ParameterDeclaration {
 public:
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
  /// Least and greatest allowed value, inclusive: of a Duration in nanoseconds, of a ByteSize in
  /// bytes, of a list for each element. Checked before the app runs.
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
  friend class Interface;

  // `info` is null when only the member is bound.
  ParameterDeclaration(Parameter<T>& member, ParameterInfo* info) noexcept
      : member_(member), info_(info) {}

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
  Interface(const Interface&) = delete;
  Interface& operator=(const Interface&) = delete;
  ~Interface() = default;

  /// A parameter with its YAML key and one line on it. `key` must outlive the component: use a
  /// literal.
  template <class T>
  ParameterDeclaration<T> parameter(Parameter<T>& member, std::string_view key,
                                    std::string_view headline, std::string_view description = {}) {
    bindings_.push_back({key, &member});
    static_cast<ParameterBase&>(member).key_ = key;
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

  /// A parameter whose type is known at run time only: `info` says all about it but its key,
  /// `member` reads and holds the value. For layers that bring components of other systems. `key`
  /// must outlive the component.
  void parameter(ParameterBase& member, std::string_view key, ParameterInfo info);

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

  // --- capabilities: what gxr may rely on, in `validate`, in the plan and in the run. Arguments
  // are keys of parameters that the type declares. gxr-declare refuses what contradicts the type.

  // Codelets
  /// It sends every message that it sends on unchanged, from the receivers to the transmitters that
  /// its parameters name. If they name none, all of the entity count. So gxr takes what it knows of
  /// the messages at its inputs for true at its outputs.
  void passes_messages() { declare(Capability::Kind::PassesMessages); }
  /// It does what passes_messages() says, has one receiver, and does nothing else: each tick takes
  /// one message and sends it on all of these transmitters. So edges replace it in a CUDA graph.
  /// With a `key`, this holds if that parameter has this value; with another value, only
  /// passes_messages() holds.
  void passes_each_message(std::string_view key = {}, std::string_view value = {}) {
    declare(Capability::Kind::PassesEachMessage, {key}, value);
  }
  /// It takes messages of all receivers of its entity; with the `key` of a list of receivers, of
  /// those if there are any. All other codelets that have a parameter for a queue take messages
  /// only of receivers that their parameters name.
  void takes_all_messages(std::string_view key = {}) {
    declare(Capability::Kind::TakesAllMessages, {key});
  }
  /// In one tick it publishes up to `count` messages on `transmitter`; once for each transmitter. A
  /// codelet that does not say so publishes one.
  void publishes(std::string_view transmitter, std::string_view count) {
    declare(Capability::Kind::Publishes, {transmitter, count});
  }
  /// It publishes on `transmitter` all messages that it takes as takes_all_messages() says: in one
  /// tick those that are there, of each receiver up to `limit`, if that is given and not 0.
  void publishes_all_messages(std::string_view transmitter, std::string_view limit = {}) {
    declare(Capability::Kind::PublishesAllMessages, {transmitter, limit});
  }

  // Queues
  /// Two stages of `capacity` messages; `policy` is an OverflowPolicy. Messages come and go by
  /// connections only, all and in order, as in DoubleBufferReceiver.
  void plain_queue(std::string_view capacity, std::string_view policy) {
    declare(Capability::Kind::PlainQueue, {capacity, policy});
  }
  /// Connects itself to the queues of the other direction whose topic has the same name.
  void joins_topic(std::string_view topic) { declare(Capability::Kind::JoinsTopic, {topic}); }
  /// Its other end is in another process, so no connection leads there; `address` says where. An
  /// OutsideQueue is one also without this.
  void remote_queue(std::string_view address = {}) {
    declare(Capability::Kind::RemoteQueue, {address});
  }

  // Scheduling terms: a type declares one of these at most
  /// Ready when `receiver` holds `count` messages, and, if that parameter is given, at most
  /// `leftover` of earlier ticks. A remote queue may end that.
  /// The term also overrides SchedulingTerm::question(), with the same receiver and number; without
  /// that, it cannot be part of a CUDA graph.
  void waits_for_messages(std::string_view receiver, std::string_view count,
                          std::string_view leftover = {}) {
    declare(Capability::Kind::WaitsForMessages, {receiver, count, leftover});
  }
  /// Ready when all receivers behind `transmitter` have room for `count` messages. The term also
  /// overrides SchedulingTerm::question(), as one with waits_for_messages() does.
  void waits_for_room(std::string_view transmitter, std::string_view count) {
    declare(Capability::Kind::WaitsForRoom, {transmitter, count});
  }
  /// Ready for `count` ticks, then Never; below 0: Ready without end.
  void limits_ticks(std::string_view count) { declare(Capability::Kind::LimitsTicks, {count}); }
  /// Ready, or Never while it is switched off: by the boolean `enabled`, and later by components
  /// that have a handle to it.
  void switches_ticks(std::string_view enabled) {
    declare(Capability::Kind::SwitchesTicks, {enabled});
  }
  /// Ready once in each `period`, a Duration.
  void paces_ticks(std::string_view period) { declare(Capability::Kind::PacesTicks, {period}); }
  /// No event tells when its answer changes, so the executor asks again after each `interval`, a
  /// Duration. The term gives the same to TermEvents::poll().
  void polls(std::string_view interval) { declare(Capability::Kind::Polls, {interval}); }

  // For the planner of CUDA graphs; such a component does nothing itself. Names of entities
  // are written: their lists are empty by default, or have no default.
  /// The operator of its entity looks for input of the codelet `source`.
  void looks_for_input(std::string_view source) {
    declare(Capability::Kind::LooksForInput, {source});
  }
  /// The entities of the list `then` run when the tensor of the transmitter `selector` is not 0,
  /// else those of `otherwise`.
  void branch_if(std::string_view selector, std::string_view then, std::string_view otherwise) {
    declare(Capability::Kind::BranchIf, {selector, then, otherwise});
  }
  /// Of the lists of entities in `cases` the one of that number runs.
  void branch_switch(std::string_view selector, std::string_view cases) {
    declare(Capability::Kind::BranchSwitch, {selector, cases});
  }
  /// The entities of the list `body` run, at most `limit` times (0: any number), until the tensor
  /// of the transmitter `condition` is 0.
  void branch_while(std::string_view condition, std::string_view body, std::string_view limit) {
    declare(Capability::Kind::BranchWhile, {condition, body, limit});
  }
  /// The entities of the list `body` run in the iteration `first` and in every `count`th after it;
  /// `launch` is an enumeration of in_iteration, fire_and_forget and sibling, or some of these.
  void branch_every(std::string_view count, std::string_view body, std::string_view first,
                    std::string_view launch) {
    declare(Capability::Kind::BranchEvery, {count, body, first, launch});
  }

 private:
  friend class EngineAccess;

  // A key of a component and the member it fills.
  struct Binding {
    std::string_view key;  // a string literal of the component
    ParameterBase* member;
  };

  // Binds instances only.
  Interface() = default;
  // Also writes parameters and ports of the type into `info`.
  explicit Interface(TypeInfo& info) noexcept : info_(&info) {}

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
  void declare(Capability::Kind kind, std::initializer_list<std::string_view> parameters = {},
               std::string_view value = {});
  PortDeclaration add_port(std::string_view key, PortInfo::Direction direction);

  std::vector<Binding> bindings_;
  TypeInfo* info_ = nullptr;
};

}  // namespace gxr
