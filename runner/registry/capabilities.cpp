#include "registry/capabilities.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "document/utf8.hpp"
#include "gxr/codelet.hpp"
#include "gxr/cuda/device_ports.hpp"
#include "gxr/graph_operator.hpp"
#include "gxr/outside_queue.hpp"
#include "gxr/queue.hpp"
#include "gxr/scheduling_term.hpp"

namespace gxr {
namespace {

/// What a capability is for.
enum class Subject : std::uint8_t { Codelet, Queue, Term, Component };

/// What a parameter that a capability names has to be.
enum class Form : std::uint8_t {
  None,  ///< there is no such argument
  Handle,
  Handles,
  Whole,
  Flag,
  Length,
  Text,
  Names,
  ListsOfNames,
  Launch,  ///< an enumeration of kBranchLaunches
  Any,
};

struct Argument {
  Form form = Form::None;
  bool optional = false;
};

constexpr std::size_t kMostArguments = 4;

struct Rule {
  Capability::Kind kind;
  std::string_view name;
  Subject subject;
  /// For people; {0} is the first parameter. What stands in [ ] is left out without the parameter
  /// in it.
  std::string_view text;
  std::array<Argument, kMostArguments> arguments{};
};

// In the order of Kind.
constexpr std::array<Rule, Capability::kKinds> kRules = {{
    {Capability::Kind::PassesMessages, "passes_messages", Subject::Codelet, "passes messages on"},
    {Capability::Kind::PassesEachMessage,
     "passes_each_message",
     Subject::Codelet,
     "passes each message on",
     {{{Form::Any, true}}}},
    {Capability::Kind::TakesAllMessages,
     "takes_all_messages",
     Subject::Codelet,
     "takes messages of all receivers of its entity[, or of those in '{0}']",
     {{{Form::Handles, true}}}},
    {Capability::Kind::Publishes,
     "publishes",
     Subject::Codelet,
     "publishes up to '{1}' messages on '{0}' in one tick",
     {{{Form::Handle}, {Form::Whole}}}},
    {Capability::Kind::PublishesAllMessages,
     "publishes_all_messages",
     Subject::Codelet,
     "publishes all messages that it takes on '{0}'[, in one tick up to '{1}' of each receiver]",
     {{{Form::Handle}, {Form::Whole, true}}}},
    {Capability::Kind::TellsShapes, "tells_shapes", Subject::Codelet,
     "tells the shapes of its tensors"},
    {Capability::Kind::PlainQueue,
     "plain_queue",
     Subject::Queue,
     "queue of two stages, each of '{0}' messages",
     {{{Form::Whole}, {Form::Whole}}}},
    {Capability::Kind::JoinsTopic,
     "joins_topic",
     Subject::Queue,
     "connects itself by the topic '{0}'",
     {{{Form::Text}}}},
    {Capability::Kind::RemoteQueue,
     "remote_queue",
     Subject::Queue,
     "remote queue[, at '{0}']",
     {{{Form::Text, true}}}},
    {Capability::Kind::DevicePort, "device_port", Subject::Queue, "device port"},
    {Capability::Kind::WaitsForMessages,
     "waits_for_messages",
     Subject::Term,
     "waits for '{1}' messages on '{0}'",
     {{{Form::Handle}, {Form::Whole}, {Form::Whole, true}}}},
    {Capability::Kind::WaitsForRoom,
     "waits_for_room",
     Subject::Term,
     "waits for room for '{1}' messages behind '{0}'",
     {{{Form::Handle}, {Form::Whole}}}},
    {Capability::Kind::LimitsTicks,
     "limits_ticks",
     Subject::Term,
     "limits the count of ticks to '{0}'",
     {{{Form::Whole}}}},
    {Capability::Kind::SwitchesTicks,
     "switches_ticks",
     Subject::Term,
     "switched on by '{0}'",
     {{{Form::Flag}}}},
    {Capability::Kind::PacesTicks,
     "paces_ticks",
     Subject::Term,
     "one tick in each '{0}'",
     {{{Form::Length}}}},
    {Capability::Kind::Polls,
     "polls",
     Subject::Term,
     "asked again after each '{0}'",
     {{{Form::Length}}}},
    {Capability::Kind::LooksForInput,
     "looks_for_input",
     Subject::Component,
     "polls for input of '{0}', in a CUDA graph",
     {{{Form::Handle}}}},
    {Capability::Kind::BranchIf,
     "branch_if",
     Subject::Component,
     "branch of a CUDA graph: '{1}' or '{2}', by '{0}'",
     {{{Form::Handle}, {Form::Names}, {Form::Names}}}},
    {Capability::Kind::BranchSwitch,
     "branch_switch",
     Subject::Component,
     "branch of a CUDA graph: one of '{1}', by '{0}'",
     {{{Form::Handle}, {Form::ListsOfNames}}}},
    {Capability::Kind::BranchWhile,
     "branch_while",
     Subject::Component,
     "branch of a CUDA graph: '{1}' again, by '{0}'",
     {{{Form::Handle}, {Form::Names}, {Form::Whole}}}},
    {Capability::Kind::BranchEvery,
     "branch_every",
     Subject::Component,
     "branch of a CUDA graph: '{1}', every '{0}' iterations",
     {{{Form::Whole}, {Form::Names}, {Form::Whole}, {Form::Launch}}}},
}};

constexpr bool is_ordered() {
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    if (kRules[i].kind != static_cast<Capability::Kind>(i)) {
      return false;
    }
  }
  return true;
}
static_assert(is_ordered());

const Rule& rule_of(Capability::Kind kind) noexcept {
  return kRules[static_cast<std::size_t>(kind)];
}

bool is_known_capability(const Capability& capability) {
  return static_cast<std::size_t>(capability.kind) < Capability::kKinds;
}

std::size_t most_arguments(const Rule& rule) {
  return static_cast<std::size_t>(std::ranges::count_if(
      rule.arguments, [](const Argument& argument) { return argument.form != Form::None; }));
}

const ParameterInfo* declared_parameter(const TypeInfo& type, std::string_view key) {
  const auto found = std::ranges::find(type.parameters, key, &ParameterInfo::key);
  return found == type.parameters.end() ? nullptr : &*found;
}

bool is_list_of(const ParameterType& type, ParameterType::Kind element) {
  return type.kind == ParameterType::Kind::List && type.of.size() == 1 &&
         type.of.front().kind == element;
}

/// Has it no other words than the planner knows?
bool is_launch(const ParameterType& type) {
  const auto is_word = [](const Choice& choice) {
    return std::ranges::find(kBranchLaunches, choice.name) != std::end(kBranchLaunches);
  };
  return type.kind == ParameterType::Kind::Enum && std::ranges::all_of(type.choices, is_word);
}

bool has_form(const ParameterType& type, Form form) {
  switch (form) {
    case Form::Handle:
      return type.kind == ParameterType::Kind::Handle;
    case Form::Handles:
      return is_list_of(type, ParameterType::Kind::Handle);
    case Form::Whole:
      return type.kind >= ParameterType::Kind::Int8 && type.kind <= ParameterType::Kind::UInt64;
    case Form::Flag:
      return type.kind == ParameterType::Kind::Bool;
    case Form::Length:
      return type.kind == ParameterType::Kind::Duration;
    case Form::Text:
      return type.kind == ParameterType::Kind::String || type.kind == ParameterType::Kind::File;
    case Form::Names:
      return is_list_of(type, ParameterType::Kind::String);
    case Form::ListsOfNames:
      return is_list_of(type, ParameterType::Kind::List) &&
             is_list_of(type.of.front(), ParameterType::Kind::String);
    case Form::Launch:
      return is_launch(type);
    case Form::None:
    case Form::Any:
      return true;
  }
  return true;
}

std::string_view form_text(Form form) {
  constexpr std::array<std::string_view, 11> kTexts = {
      "nothing",
      "a handle",
      "a list of handles",
      "an integer",
      "a bool",
      "a duration",
      "a text",
      "a list of texts",
      "a list of lists of texts",
      "an enumeration of in_iteration, fire_and_forget and sibling",
      "anything"};
  return kTexts.at(static_cast<std::size_t>(form));
}

std::string call_of(const Rule& rule) { return std::string(rule.name) + "()"; }

/// Has a list elements by default?
bool has_elements(const ParameterInfo& list) {
  return list.default_value && *list.default_value != "[]";
}

std::string flaw_of_argument(const TypeInfo& type, const Rule& rule, std::size_t index,
                             std::string_view key) {
  const Argument& argument = rule.arguments.at(index);
  if (key.empty()) {
    return argument.optional ? "" : call_of(rule) + " names no parameter where it needs one";
  }
  const ParameterInfo* const parameter = declared_parameter(type, key);
  if (parameter == nullptr) {
    return call_of(rule) + " names the parameter " + quote_text(key) +
           ", which the type does not declare";
  }
  if (!has_form(parameter->type, argument.form)) {
    return call_of(rule) + " needs " + std::string(form_text(argument.form)) +
           ", but the parameter " + quote_text(key) + " is " + to_string(parameter->type);
  }
  const bool has_names = argument.form == Form::Names || argument.form == Form::ListsOfNames;
  return has_names && has_elements(*parameter)
             ? call_of(rule) + " needs names that are written, but the parameter " +
                   quote_text(key) + " has some by default"
             : "";
}

std::string flaw_of(const TypeInfo& type, const Capability& capability) {
  const Rule& rule = rule_of(capability.kind);
  if (capability.parameters.size() > most_arguments(rule)) {
    return call_of(rule) + " names too many parameters";
  }
  for (std::size_t i = 0; i < most_arguments(rule); ++i) {
    if (std::string flaw = flaw_of_argument(type, rule, i, capability.key(i)); !flaw.empty()) {
      return flaw;
    }
  }
  if (capability.value.empty() != capability.key(0).empty() &&
      (capability.kind == Capability::Kind::PassesEachMessage || !capability.value.empty())) {
    return call_of(rule) + " needs a parameter and its value, or neither";
  }
  return {};
}

/// Capabilities that say different things of one matter.
constexpr std::pair<Capability::Kind, Capability::Kind> kContradictions[] = {
    {Capability::Kind::PassesMessages, Capability::Kind::PassesEachMessage},
    {Capability::Kind::RemoteQueue, Capability::Kind::PlainQueue},
    {Capability::Kind::RemoteQueue, Capability::Kind::JoinsTopic},
};

bool is_branch(const Capability& capability) {
  return capability.kind >= Capability::Kind::BranchIf;
}

bool is_of_term(const Capability& capability) {
  return rule_of(capability.kind).subject == Subject::Term;
}

/// Passes and schedulers take a term for one thing, so it says no two.
std::string flaw_of_term(const TypeInfo& type) {
  const auto end = type.capabilities.end();
  const auto one = std::find_if(type.capabilities.begin(), end, is_of_term);
  const auto other = one == end ? end : std::find_if(one + 1, end, is_of_term);
  return other == end ? ""
                      : call_of(rule_of(one->kind)) + " and " + call_of(rule_of(other->kind)) +
                            " are for two scheduling terms: each says one thing";
}

std::string flaw_of_set(const TypeInfo& type) {
  for (const auto& [one, other] : kContradictions) {
    if (type.find(one) != nullptr && type.find(other) != nullptr) {
      return call_of(rule_of(one)) + " and " + call_of(rule_of(other)) + " contradict each other";
    }
  }
  if (std::string flaw = flaw_of_term(type); !flaw.empty()) {
    return flaw;
  }
  if (type.find(Capability::Kind::PublishesAllMessages) != nullptr &&
      type.find(Capability::Kind::TakesAllMessages) == nullptr) {
    return "publishes_all_messages() needs takes_all_messages(), which says of which receivers";
  }
  if (type.find(Capability::Kind::PassesEachMessage) != nullptr &&
      std::ranges::count(type.ports, PortInfo::Direction::Input, &PortInfo::direction) > 1) {
    return "passes_each_message() is for codelets with one input";
  }
  return std::ranges::count_if(type.capabilities, is_branch) > 1 ? "it declares two branches" : "";
}

bool is_subject(const Component& component, Subject subject) {
  switch (subject) {
    case Subject::Codelet:
      return dynamic_cast<const Codelet*>(&component) != nullptr;
    case Subject::Queue:
      return dynamic_cast<const Receiver*>(&component) != nullptr ||
             dynamic_cast<const Transmitter*>(&component) != nullptr;
    case Subject::Term:
      return dynamic_cast<const SchedulingTerm*>(&component) != nullptr;
    case Subject::Component:
      return true;
  }
  return true;
}

std::string_view subject_text(Subject subject) {
  constexpr std::array<std::string_view, 4> kTexts = {"codelets", "receivers and transmitters",
                                                      "scheduling terms", "components"};
  return kTexts.at(static_cast<std::size_t>(subject));
}

}  // namespace

std::string_view to_string(Capability::Kind kind) noexcept { return rule_of(kind).name; }

std::optional<Capability::Kind> parse_capability_kind(std::string_view name) noexcept {
  const auto* const found = std::ranges::find(kRules, name, &Rule::name);
  return found == kRules.end() ? std::nullopt : std::optional(found->kind);
}

namespace {

/// "[or of those in '{0}']": does the capability name no such parameter?
bool lacks_parameter(const Capability& capability, std::string_view text) {
  return capability.key(static_cast<std::size_t>(text[text.find('{') + 1] - '0')).empty();
}

/// May a type declare both? It publishes on several transmitters.
bool go_together(const Capability& one, const Capability& other) {
  return one.kind != other.kind ||
         (one.kind == Capability::Kind::Publishes && one.key(0) != other.key(0));
}

}  // namespace

std::string describe_capability(const Capability& capability) {
  std::string text;
  std::string_view rest = rule_of(capability.kind).text;
  for (std::size_t at = rest.find_first_of("[]{"); at != std::string_view::npos;
       at = rest.find_first_of("[]{")) {
    text += rest.substr(0, at);
    if (rest[at] == '{') {
      text += capability.key(static_cast<std::size_t>(rest[at + 1] - '0'));
      at += 2;
    } else if (rest[at] == '[' && lacks_parameter(capability, rest.substr(at))) {
      at = rest.find(']');
    }
    rest.remove_prefix(at + 1);
  }
  text += rest;
  return capability.value.empty()
             ? text
             : text + " if '" + std::string(capability.key(0)) + "' is " + capability.value;
}

std::string flaw_of_capabilities(const TypeInfo& type) {
  if (!std::ranges::all_of(type.capabilities, is_known_capability)) {
    return "it has a capability of a kind that there is not";
  }
  for (auto at = type.capabilities.begin(); at != type.capabilities.end(); ++at) {
    if (std::any_of(type.capabilities.begin(), at,
                    [&](const Capability& other) { return !go_together(*at, other); })) {
      return call_of(rule_of(at->kind)) + " is declared twice";
    }
    if (std::string flaw = flaw_of(type, *at); !flaw.empty()) {
      return flaw;
    }
  }
  return flaw_of_set(type);
}

std::string flaw_of_capabilities(const TypeInfo& type, const Component& component) {
  for (const Capability& capability : type.capabilities) {
    const Rule& rule = rule_of(capability.kind);
    if (!is_subject(component, rule.subject)) {
      return call_of(rule) + " is for " + std::string(subject_text(rule.subject)) +
             ", and the type is none";
    }
  }
  return {};
}

void add_found_capabilities(const Component& component, TypeInfo& type) {
  const auto add = [&](bool found, Capability::Kind kind) {
    if (found && type.find(kind) == nullptr) {
      type.capabilities.push_back({kind, {}, {}});
    }
  };
  add(dynamic_cast<const Codelet*>(&component) != nullptr &&
          dynamic_cast<const ShapeInference*>(&component) != nullptr,
      Capability::Kind::TellsShapes);
  const bool is_queue = is_subject(component, Subject::Queue);
  add(is_queue && dynamic_cast<const OutsideQueue*>(&component) != nullptr,
      Capability::Kind::RemoteQueue);
  add(is_queue && dynamic_cast<const cuda::DevicePort*>(&component) != nullptr,
      Capability::Kind::DevicePort);
}

}  // namespace gxr
