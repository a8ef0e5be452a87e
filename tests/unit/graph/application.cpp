#include "graph/application.hpp"

#include <utility>

#include "catch.hpp"

namespace gxr::test {
namespace {

using Kind = ParameterType::Kind;

ParameterType type_of(Kind kind, std::string name = {}) {
  return {kind, std::move(name), {}, 0, {}};
}

ParameterInfo mandatory(std::string key, ParameterType type) {
  ParameterInfo info;
  info.key = std::move(key);
  info.type = std::move(type);
  return info;
}

ParameterInfo optional(std::string key, ParameterType type) {
  ParameterInfo info = mandatory(std::move(key), std::move(type));
  info.optional = true;
  return info;
}

ParameterInfo with_default(std::string key, ParameterType type, std::string value) {
  ParameterInfo info = mandatory(std::move(key), std::move(type));
  info.default_value = std::move(value);
  return info;
}

ParameterType handle(const std::string& type) { return type_of(Kind::Handle, type); }

class Types {
 public:
  void add(const std::string& name, const std::string& base,
           std::vector<ParameterInfo> parameters = {}, bool abstract = false) {
    TypeInfo type;
    type.name = name;
    type.base = base;
    type.abstract = abstract;
    type.parameters = std::move(parameters);
    if (name.starts_with("gxr::")) {
      type.aliases.push_back("nvidia::gxf::" + name.substr(5));
    }
    type.id = {next_id_++, 1};
    types_.push_back(std::move(type));
  }
  /// Of the type added last.
  void declare(Capability::Kind kind, std::vector<std::string> keys) {
    types_.back().capabilities.push_back({kind, std::move(keys), {}});
  }
  void add_base(const std::string& name, const std::string& base) { add(name, base, {}, true); }
  void add_data(const std::string& name) {
    add(name, "");
    types_.back().component = false;
  }
  void add_capturable(const std::string& name, std::vector<ParameterInfo> parameters) {
    add(name, "gxr::Codelet", std::move(parameters));
    types_.back().capturable = true;
  }
  std::vector<TypeInfo> take() { return std::move(types_); }

 private:
  std::uint64_t next_id_ = 1;
  std::vector<TypeInfo> types_;
};

void add_bases(Types& types) {
  types.add_base("gxr::Component", "");
  for (const char* name : {"Codelet", "Clock", "System", "Queue", "SchedulingTerm", "Allocator"}) {
    types.add_base(std::string("gxr::") + name, "gxr::Component");
  }
  types.add_base("gxr::Receiver", "gxr::Queue");
  types.add_base("gxr::Transmitter", "gxr::Queue");
  types.add_base("gxr::Scheduler", "gxr::System");
  types.add_base("gxr::ResourceBase", "gxr::Component");
  types.add("gxr::ThreadPool", "gxr::ResourceBase");
  types.add_data("gxr::Tensor");
}

void add_std(Types& types) {
  const ParameterType u64 = type_of(Kind::UInt64);
  ParameterInfo capacity = with_default("capacity", u64, "1");
  capacity.minimum = 1;
  ParameterInfo policy = with_default("policy", u64, "2");
  policy.choices = {{"0", "drop the oldest"}, {"1", "drop the new one"}, {"2", "fail"}};
  using Can = Capability::Kind;
  types.add("gxr::DoubleBufferReceiver", "gxr::Receiver", {capacity, policy});
  types.declare(Can::PlainQueue, {"capacity", "policy"});
  types.add("gxr::DoubleBufferTransmitter", "gxr::Transmitter", {capacity, policy});
  types.declare(Can::PlainQueue, {"capacity", "policy"});
  const ParameterInfo hall = with_default("hall", type_of(Kind::String), "\"east: 1\"");
  for (const auto& [name, base] : {std::pair("test::HallReceiver", "gxr::Receiver"),
                                   std::pair("test::HallTransmitter", "gxr::Transmitter"),
                                   std::pair("test::HallCodelet", "gxr::Codelet")}) {
    types.add(name, base, {hall});
    types.declare(Can::JoinsTopic, {"hall"});
  }
  types.add("gxr::Connection", "gxr::Component",
            {mandatory("source", handle("gxr::Transmitter")),
             mandatory("target", handle("gxr::Receiver"))});
  types.add("gxr::MessageAvailableSchedulingTerm", "gxr::SchedulingTerm",
            {mandatory("receiver", handle("gxr::Receiver")), with_default("min_size", u64, "1")});
  types.declare(Can::WaitsForMessages, {"receiver", "min_size"});
  types.add(
      "gxr::DownstreamReceptiveSchedulingTerm", "gxr::SchedulingTerm",
      {mandatory("transmitter", handle("gxr::Transmitter")), with_default("min_size", u64, "1")});
  types.declare(Can::WaitsForRoom, {"transmitter", "min_size"});
  types.add("gxr::CountSchedulingTerm", "gxr::SchedulingTerm",
            {mandatory("count", type_of(Kind::Int64))});
  types.declare(Can::LimitsTicks, {"count"});
  types.add("gxr::BooleanSchedulingTerm", "gxr::SchedulingTerm",
            {with_default("enable_tick", type_of(Kind::Bool), "true")});
  types.declare(Can::SwitchesTicks, {"enable_tick"});
  ParameterType policies = type_of(Kind::Enum, "gxr::PeriodicSchedulingPolicy");
  policies.choices = {{"CatchUpMissedTicks", ""}, {"MinTimeBetweenTicks", ""}};
  types.add("gxr::PeriodicSchedulingTerm", "gxr::SchedulingTerm",
            {mandatory("recess_period", type_of(Kind::Duration)),
             with_default("policy", policies, "CatchUpMissedTicks")});
  types.declare(Can::PacesTicks, {"recess_period"});
  types.add("gxr::RealtimeClock", "gxr::Clock");
  types.add("gxr::GreedyScheduler", "gxr::Scheduler",
            {optional("clock", handle("gxr::Clock")), optional("realtime", type_of(Kind::Bool))});
  for (const char* name : {"MultiThread", "EventBased", "Epoch"}) {
    types.add("gxr::" + std::string(name) + "Scheduler", "gxr::Scheduler",
              {mandatory("clock", handle("gxr::Clock"))});
  }
  types.add("gxr::UnboundedAllocator", "gxr::Allocator");
}

ParameterType list_of(ParameterType element, Kind kind = Kind::List, std::size_t length = 0) {
  return {kind, {}, {std::move(element)}, length, {}};
}

void add_codelets(Types& types) {
  types.add("test::Tx", "gxr::Codelet", {mandatory("signal", handle("gxr::Transmitter"))});
  types.add("test::Rx", "gxr::Codelet", {mandatory("signal", handle("gxr::Receiver"))});
  types.add(
      "test::Pass", "gxr::Codelet",
      {mandatory("in", handle("gxr::Receiver")), mandatory("out", handle("gxr::Transmitter"))});
  types.add_capturable("test::Operator", {mandatory("in", handle("gxr::Receiver")),
                                          mandatory("out", handle("gxr::Transmitter"))});
  types.add_capturable("test::Origin", {mandatory("out", handle("gxr::Transmitter"))});
  types.add_capturable("test::End", {mandatory("in", handle("gxr::Receiver"))});
  types.add("test::LooksForInput", "gxr::Component", {mandatory("source", handle("gxr::Codelet"))});
  types.declare(Capability::Kind::LooksForInput, {"source"});
  types.add("test::Polling", "gxr::SchedulingTerm",
            {with_default("interval", type_of(Kind::Duration), "1ms")});
  types.declare(Capability::Kind::Polls, {"interval"});
  types.add("test::Switch", "gxr::Codelet",
            {optional("term", handle("gxr::BooleanSchedulingTerm"))});
  types.add(
      "test::Camera", "gxr::Codelet",
      {mandatory("out", handle("gxr::Transmitter")), optional("extra", handle("gxr::Transmitter")),
       mandatory("pool", handle("gxr::Allocator")),
       optional("last", handle("gxr::BooleanSchedulingTerm"))});
  types.add("test::Broadcast", "gxr::Codelet", {mandatory("source", handle("gxr::Receiver"))});
  types.declare(Capability::Kind::PassesEachMessage, {});
  types.add("test::Gather", "gxr::Codelet",
            {mandatory("sink", handle("gxr::Transmitter")),
             optional("sources", list_of(handle("gxr::Receiver")))});
  types.declare(Capability::Kind::PassesMessages, {});
  types.declare(Capability::Kind::TakesAllMessages, {"sources"});
  types.add("test::Pairs", "gxr::Codelet",
            {mandatory("inputs", list_of(handle("gxr::Receiver"))),
             mandatory("outputs", list_of(handle("gxr::Transmitter")))});
  types.add("test::Router", "gxr::Component", {optional("queues", list_of(handle("gxr::Queue")))});
  types.add("test::OtherScheduler", "gxr::Scheduler");
  ParameterInfo ranged = optional("ranged", type_of(Kind::Float64));
  ranged.minimum = 0.5;
  ranged.maximum = 2.0;
  ParameterInfo waits = optional("waits", list_of(type_of(Kind::Duration)));
  waits.minimum = 1e6;
  ParameterInfo room = optional("room", type_of(Kind::Size));
  room.minimum = 16;
  room.maximum = 65500;
  ParameterType color = type_of(Kind::Enum, "test::Color");
  color.choices = {{"Red", ""}, {"Green", ""}};
  types.add(
      "test::Everything", "gxr::Codelet",
      {optional("flag", type_of(Kind::Bool)), optional("byte", type_of(Kind::UInt8)),
       optional("small", type_of(Kind::Int16)), optional("count", type_of(Kind::UInt32)), ranged,
       optional("text", type_of(Kind::String)), optional("time", type_of(Kind::Duration)),
       optional("size", type_of(Kind::Size)), waits, room, optional("color", color),
       optional("list", list_of(type_of(Kind::UInt32))),
       optional("triple", list_of(type_of(Kind::Int32), Kind::Array, 3)),
       optional("map", list_of(type_of(Kind::Float64), Kind::Map)),
       optional("pair", {Kind::Pair, {}, {type_of(Kind::String), type_of(Kind::Int64)}, 0, {}}),
       optional("queues", list_of(handle("gxr::Queue"))), optional("any", type_of(Kind::Any))});
}

}  // namespace

TypeCatalog make_catalog() {
  Types types;
  add_bases(types);
  add_std(types);
  add_codelets(types);
  TypeCatalog catalog;
  catalog.add_types("test", types.take());
  return catalog;
}

const Diagnostic& Application::only(DiagnosticCode code) const {
  INFO(text());
  REQUIRE(count(code) == 1);
  return *std::ranges::find(diagnostics.all(), code, &Diagnostic::code);
}

const GraphComponent& Application::component(std::string_view entity, std::string_view name) const {
  const GraphEntity* found = graph.find_entity(entity);
  REQUIRE(found != nullptr);
  const auto id = std::ranges::find(
      found->components, name,
      [&](ComponentId c) -> std::string_view { return graph.components[c].name; });
  REQUIRE(id != found->components.end());
  return graph.components[*id];
}

std::string Application::text() const {
  return render_text(diagnostics, document.sources(), false);
}

std::unique_ptr<Application> resolve_given(const Given& given) {
  auto application = std::make_unique<Application>(given.compat_gxf);
  int number = 0;
  for (const std::string& text : given.files) {
    application->document.add_text(
        {Source::Kind::File, "file" + std::to_string(++number) + ".yaml", text},
        application->diagnostics);
  }
  for (const std::string& argument : given.overrides) {
    application->document.add_override(argument, application->diagnostics);
  }
  application->graph =
      resolve(application->document, application->catalog, application->diagnostics);
  return application;
}

std::unique_ptr<Application> resolve_text(const std::string& yaml) {
  return resolve_given({{yaml}, {}, false});
}

std::string tx(const std::string& name, int count) {
  return "---\nname: " + name +
         "\ncomponents:\n- name: signal\n  type: gxr::DoubleBufferTransmitter\n- type: test::Tx\n  "
         "parameters:\n"
         "    signal: signal\n- name: count\n  type: gxr::CountSchedulingTerm\n  parameters:\n    "
         "count: " +
         std::to_string(count) +
         "\n- name: room\n  type: gxr::DownstreamReceptiveSchedulingTerm\n  parameters:\n    "
         "transmitter: signal\n";
}

std::string rx(const std::string& name) {
  return "---\nname: " + name +
         "\ncomponents:\n- name: signal\n  type: gxr::DoubleBufferReceiver\n- type: test::Rx\n  "
         "parameters:\n"
         "    signal: signal\n- name: message\n  type: gxr::MessageAvailableSchedulingTerm\n  "
         "parameters:\n"
         "    receiver: signal\n";
}

std::string pass(const std::string& name) {
  return "---\nname: " + name +
         "\ncomponents:\n- name: in\n  type: gxr::DoubleBufferReceiver\n- name: out\n"
         "  type: gxr::DoubleBufferTransmitter\n- type: test::Pass\n  parameters:\n    in: in\n    "
         "out: out\n"
         "- name: message\n  type: gxr::MessageAvailableSchedulingTerm\n  parameters:\n    "
         "receiver: in\n";
}

std::string operator_stage(const std::string& name) {
  std::string text = pass(name);
  return text.replace(text.find("test::Pass"), 10, "test::Operator");
}

std::string connect(const std::string& source, const std::string& target) {
  return "---\ncomponents:\n- type: gxr::Connection\n  parameters:\n    source: " + source +
         "\n    target: " + target + "\n";
}

}  // namespace gxr::test
