#include "catch.hpp"
#include "graph/application.hpp"

using namespace gxr;
using namespace gxr::test;
using Catch::Matchers::ContainsSubstring;
using Code = DiagnosticCode;

namespace {

std::unique_ptr<Application> with(const std::string& parameters, bool compat_gxf = false) {
  return resolve_given(
      {{"name: e\ncomponents:\n- name: q\n  type: gxr::DoubleBufferReceiver\n- name: x\n"
        "  type: test::Everything\n  parameters: {" +
        parameters + "}\n" + kScheduler},
       {},
       compat_gxf});
}

std::size_t errors(const std::string& parameters) {
  const auto app = with(parameters);
  return app->diagnostics.errors();
}

}  // namespace

TEST_CASE("unknown types are reported with a suggestion") {
  const auto app = resolve_text("components:\n- type: gxr::DoubleBuferReceiver\n" + kScheduler);
  const Diagnostic& unknown = app->only(Code::UnknownType);
  CHECK(unknown.where.line == 2);
  CHECK(unknown.where.column == 9);
  CHECK(unknown.length == 24);
  CHECK_THAT(unknown.hint, ContainsSubstring("'gxr::DoubleBufferReceiver'"));
  CHECK(resolve_text("components:\n- type: gxr::Codelet\n")->count(Code::AbstractType) == 1);
  CHECK(resolve_text("components:\n- type: gxr::Tensor\n")->count(Code::NotAComponent) == 1);
}

TEST_CASE("an alias names the same type") {
  const auto app =
      resolve_text("name: a\ncomponents:\n- name: x\n  type: nvidia::gxf::RealtimeClock\n");
  CHECK(app->component("a", "x").type->name == "gxr::RealtimeClock");
}

TEST_CASE("good values are accepted") {
  CHECK(errors("flag: yes, byte: 255, small: -3, count: 0x10, ranged: 1.5, text: x, time: 5ms, "
               "color: Red") == 0);
  CHECK(errors("list: [1, 2], triple: [1, 2, 3], map: {a: 1.0}, pair: [a, 3], queues: [q, e/q], "
               "any: {a: [1]}") == 0);
  CHECK(errors("list: [], map: {}, queues: [], waits: [1ms, 2s], room: 65500B") == 0);
}

TEST_CASE("wrong values are refused") {
  const auto parameters = GENERATE(
      as<std::string>{}, "flag: maybe", "byte: one", "count: 1.5", "ranged: 0.4", "ranged: 2.5",
      "ranged: .nan", "time: 5 parsecs", "color: red", "color: [Red]", "list: 3", "list: [x]",
      "triple: [1, 2]", "map: [1]", "map: {a: x}", "pair: [a]", "pair: [a, b]", "queues: q",
      "queues: [nobody]", "small: 40000", "count:", "count: [1]", "waits: [1ms, 999us]",
      "room: 15B", "room: 10MB", "room: red");
  INFO(parameters);
  CHECK(errors(parameters) == 1);
}

TEST_CASE("diagnostics of values point at the value") {
  const auto app = with("list: [1, 2, x]");
  const Diagnostic& wrong = app->only(Code::ParameterValue);
  CHECK(wrong.where.line == 7);
  CHECK(wrong.where.column == 29);
  CHECK(wrong.length == 1);
  CHECK_THAT(with("color: Rad")->only(Code::ParameterChoice).hint, ContainsSubstring("'Red'"));
  CHECK_THAT(with("colour: Red")->only(Code::UnknownParameter).hint, ContainsSubstring("'color'"));
  CHECK(with("ranged: 3")->count(Code::ParameterRange) == 1);
  CHECK(with("small: 40000")->count(Code::ParameterValue) == 1);
  CHECK(with("waits: [1us]")->only(Code::ParameterRange).text ==
        "'waits' must be at least 1ms, but is 1us");
  CHECK(with("room: 1MB")->only(Code::ParameterRange).text ==
        "'room' must be between 16B and 65500B, but is 1MB");
}

TEST_CASE(
    "spellings that GXF reads in a surprising way are errors, or GXF's value with --compat gxf") {
  struct Case {
    const char* parameters;
    const char* key;
    const char* value;
    Code strict;  // what is out of range is called that
  };
  const auto given = GENERATE(Case{"count: 010", "count", "8", Code::GxfSpelling},
                              Case{"count: -1", "count", "4294967295", Code::ParameterRange},
                              Case{"byte: 300", "byte", "44", Code::ParameterRange},
                              Case{"small: -010", "small", "-8", Code::GxfSpelling});
  INFO(given.parameters);
  const auto strict = with(given.parameters);
  CHECK(strict->only(given.strict).severity == Severity::Error);
  const auto compat = with(given.parameters, true);
  CHECK(compat->only(Code::GxfSpelling).severity == Severity::Warning);
  CHECK(compat->diagnostics.errors() == 0);
  CHECK(compat->component("e", "x").find(given.key)->value->text() == given.value);
}

TEST_CASE("a duration or size without a unit gets a warning, not in GXF's applications") {
  const auto app = with("time: 20");
  const Diagnostic& report = app->only(Code::MissingUnit);
  CHECK(report.severity == Severity::Warning);
  CHECK(report.text == "'time': 20 has no unit, and is taken as 20 ns");
  CHECK(report.hint == "write 20ns, or another unit");
  CHECK(with("size: 0.5")->only(Code::MissingUnit).text ==
        "'size': 0.5 has no unit, and is taken as 0.5 MB");
  CHECK(with("size: 0.5KB, time: 20ns")->count(Code::MissingUnit) == 0);
  CHECK(with("time: x")->count(Code::MissingUnit) == 0);
  CHECK(with("time: 20", true)->count(Code::MissingUnit) == 0);
}

TEST_CASE("a value inside a list is replaced alone") {
  const auto app = with("list: [1, 010, 3]", true);
  const Value& list = *app->component("e", "x").find("list")->value;
  REQUIRE(list.size() == 3);
  CHECK(list.at(0).text() == "1");
  CHECK(list.at(1).text() == "8");
  CHECK(list.at(2).text() == "3");
  CHECK(list.at(2).location().line == 7);
}

TEST_CASE("what GXF refuses is an error with --compat gxf too") {
  const auto parameters = GENERATE(as<std::string>{}, "count: 08", "count: 0x", "byte: 4294967296",
                                   "small: 40000", "flag: 1", "list: 3");
  INFO(parameters);
  CHECK(with(parameters, true)->diagnostics.errors() == 1);
}

TEST_CASE("choices of a number are compared as numbers") {
  const std::string queue =
      "components:\n- type: gxr::DoubleBufferReceiver\n  parameters: {policy: ";
  CHECK(resolve_text(queue + "0x2}\n")->count(Code::ParameterChoice) == 0);
  CHECK(resolve_text(queue + "3}\n")->count(Code::ParameterRange) == 1);
  CHECK(
      resolve_text("components:\n- type: gxr::DoubleBufferReceiver\n  parameters: {capacity: 0}\n")
          ->count(Code::ParameterRange) == 1);
}

TEST_CASE("all missing parameters of a component are named at once") {
  const auto app = resolve_text("name: a\ncomponents:\n- name: c\n  type: gxr::Connection\n");
  const Diagnostic& missing = app->only(Code::ParameterMissing);
  CHECK_THAT(missing.text, ContainsSubstring("'source', 'target'"));
  CHECK(missing.where.line == 4);
  const auto unspecified = resolve_text(
      "name: a\ncomponents:\n- type: test::Tx\n  parameters: {signal: <Unspecified>}\n");
  CHECK(unspecified->count(Code::ParameterMissing) == 1);
}

TEST_CASE("gxf's unregistered parameters are warnings with --compat gxf") {
  const auto app = with("byte: 1, unheard_of: 3", true);
  CHECK(app->only(Code::UnknownParameter).severity == Severity::Warning);
  CHECK(app->component("e", "x").find("unheard_of")->info == nullptr);
  const auto ignored = with("cuont: 3", true);
  const Diagnostic& only = ignored->only(Code::ParametersIgnored);
  CHECK(only.severity == Severity::Error);
  CHECK_THAT(only.hint, ContainsSubstring("'count'"));
}

TEST_CASE("handles follow the rules of GXF") {
  const std::string file = tx("tx") + rx("rx");
  CHECK(resolve_text(file + connect("tx/signal", "rx/signal"))->graph.links.size() == 1);
  CHECK_THAT(
      resolve_text(file + connect("tz/signal", "rx/signal"))->only(Code::EntityNotFound).hint,
      ContainsSubstring("'tx'"));
  const auto component = resolve_text(file + connect("tx/singal", "rx/signal"));
  CHECK_THAT(component->only(Code::ComponentNotFound).hint, ContainsSubstring("'signal'"));
  CHECK(component->only(Code::ComponentNotFound).where.column == 16);
  CHECK(component->only(Code::ComponentNotFound).length == 6);
  CHECK(resolve_text(file + connect("rx/signal", "rx/signal"))
            ->only(Code::ConnectionEnd)
            .where.column == 13);
  CHECK_THAT(resolve_text(file + connect("tx", "rx/signal"))->only(Code::ComponentNotFound).hint,
             ContainsSubstring("'tx' is an entity"));
}

TEST_CASE("a handle of the wrong type suggests components that fit") {
  const auto app = resolve_text(
      "name: a\ncomponents:\n- name: out\n  type: gxr::DoubleBufferTransmitter\n- name: in\n"
      "  type: gxr::DoubleBufferReceiver\n- type: test::Tx\n  parameters: {signal: in}\n");
  CHECK_THAT(app->only(Code::HandleType).hint, ContainsSubstring("'out'"));
}

TEST_CASE("the first component whose type fits is taken") {
  const auto app = resolve_text(
      "name: a\ncomponents:\n- name: q\n  type: gxr::DoubleBufferTransmitter\n- name: q\n"
      "  type: gxr::DoubleBufferReceiver\n- name: rx\n  type: test::Rx\n  parameters: {signal: "
      "q}\n");
  CHECK(app->component("a", "rx").handle("signal") == 1);
  CHECK(app->count(Code::ComponentAmbiguous) == 0);
  const auto ambiguous = resolve_text(
      "name: a\ncomponents:\n- name: q\n  type: gxr::DoubleBufferReceiver\n- name: q\n"
      "  type: gxr::DoubleBufferReceiver\n- name: rx\n  type: test::Rx\n  parameters: {signal: "
      "q}\n");
  CHECK(ambiguous->component("a", "rx").handle("signal") == 0);
  CHECK(ambiguous->count(Code::ComponentAmbiguous) == 1);
}

TEST_CASE("an unspecified handle counts as none") {
  const auto app = resolve_text(
      "name: s\ncomponents:\n- name: g\n  type: gxr::GreedyScheduler\n  parameters: {clock: "
      "<Unspecified>}\n");
  CHECK(app->component("s", "g").handle("clock") == kNone);
  CHECK(app->component("s", "g").find("clock")->handles.size() == 1);
  CHECK(app->count(Code::MissingClock) == 1);
  CHECK(resolve_text("name: s\ncomponents:\n- type: gxr::GreedyScheduler\n  parameters: {clock: "
                     "no/<Unspecified>}\n")
            ->count(Code::EntityNotFound) == 1);
}

TEST_CASE("handles in a list keep their order") {
  const auto app = resolve_text(
      "name: e\ncomponents:\n- name: a\n  type: gxr::DoubleBufferReceiver\n- name: b\n"
      "  type: gxr::DoubleBufferReceiver\n- name: x\n  type: test::Everything\n  parameters: "
      "{queues: [b, a]}\n");
  const auto& handles = app->component("e", "x").find("queues")->handles;
  REQUIRE(handles.size() == 2);
  CHECK(handles[0].target == 1);
  CHECK(handles[1].target == 0);
}

TEST_CASE("thousands of mistakes are reported, suggestions stop") {
  std::string file;
  for (int i = 0; i < 3000; ++i) {
    file += "---\nname: entity" + std::to_string(i) +
            "\ncomponents:\n- type: gxr::Connection\n  parameters: {source: entty" +
            std::to_string(i) + "/x, target: entity0/y}\n";
  }
  const auto app = resolve_text(file);
  CHECK(app->count(Code::EntityNotFound) == 3000);
}

TEST_CASE("a key of a map has to be text, and is no merge key") {
  const auto app = resolve_text(
      "name: e\ncomponents:\n- name: x\n  type: test::Everything\n  parameters:\n"
      "    map: {? [1, 2] : 3, ? {a: b} : 4, ~: 5, a: 1, <<: {b: 1}}\n" +
      kScheduler);
  INFO(app->text());
  CHECK(app->count(DiagnosticCode::ParameterValue) == 3);
  CHECK(app->text().find("file1.yaml:6:13") != std::string::npos);
  CHECK(app->text().find("'map': a key has to be text, and this one is a list") !=
        std::string::npos);
  CHECK(app->text().find("'map': a key has to be text, and this one is a map") !=
        std::string::npos);
  CHECK(app->text().find("'<<' is a merge key of YAML 1.1") != std::string::npos);
}
