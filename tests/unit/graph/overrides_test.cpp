#include "catch.hpp"
#include "graph/application.hpp"

using namespace gxr;
using namespace gxr::test;
using Catch::Matchers::ContainsSubstring;
using Code = DiagnosticCode;

namespace {

const std::string kFile = tx("tx") + rx("rx") + connect("tx/signal", "rx/signal") +
                          "---\ncomponents:\n- name: pool\n  type: gxr::DoubleBufferReceiver\n" +
                          kScheduler;

std::unique_ptr<Application> with(std::vector<std::string> overrides) {
  return resolve_given({{kFile}, std::move(overrides), false});
}

std::string_view count_of(const Application& app) {
  return app.component("tx", "count").find("count")->value->text();
}

}  // namespace

TEST_CASE("an override names its component by name, type or alias") {
  const auto argument =
      GENERATE(as<std::string>{}, "tx/count/count=5", "tx/gxr::CountSchedulingTerm/count=5",
               "tx/nvidia::gxf::CountSchedulingTerm/count=5", "tx/count=5");
  INFO(argument);
  const auto app = with({argument});
  CHECK(app->diagnostics.errors() == 0);
  CHECK(count_of(*app) == "5");
  CHECK(app->document.overrides()[0].matched);
  CHECK(app->component("tx", "count").find("count")->overridden);
}

TEST_CASE("an override reaches a component without parameters, and the later one wins") {
  const auto app = with({"tx/signal/capacity=3", "tx/signal/capacity=4"});
  CHECK(app->diagnostics.errors() == 0);
  CHECK(app->component("tx", "signal").find("capacity")->value->text() == "4");
  CHECK(app->component("tx", "signal").parameters.size() == 1);
}

TEST_CASE("an empty entity means all entities without a name") {
  const auto app = with({"/pool/capacity=9"});
  CHECK(app->diagnostics.errors() == 0);
  CHECK(app->component("__entity_3", "pool").name == "pool");
  CHECK(app->component("__entity_3", "pool").find("capacity")->value->text() == "9");
  CHECK(with({"/poll/capacity=9"})->count(Code::OverrideNoMatch) == 1);
}

TEST_CASE("an override that matches nothing says what there is") {
  CHECK_THAT(with({"ty/count=5"})->only(Code::OverrideNoMatch).hint, ContainsSubstring("'tx'"));
  CHECK_THAT(with({"tx/cuont/count=5"})->only(Code::OverrideNoMatch).hint,
             ContainsSubstring("'count'"));
  CHECK_THAT(with({"tx/count/cuont=5"})->only(Code::OverrideNoMatch).hint,
             ContainsSubstring("'count'"));
  CHECK_THAT(with({"tx/cuont=5"})->only(Code::OverrideNoMatch).hint, ContainsSubstring("'count'"));
}

TEST_CASE("a short override must be clear") {
  const auto app = resolve_given({{pass("p") + kScheduler}, {"p/capacity=3"}, false});
  CHECK_THAT(
      app->only(Code::OverrideAmbiguous).hint,
      ContainsSubstring("p/in/capacity (of the gxr::DoubleBufferReceiver) or p/out/capacity"));
}

TEST_CASE("values of overrides are checked at the place where they were given") {
  const auto app = with({"tx/count=many"});
  const Diagnostic& wrong = app->only(Code::ParameterValue);
  CHECK(app->document.sources().at(wrong.where.source).kind == Source::Kind::Argument);
}

TEST_CASE("nothing is said of overrides that a component of unknown type may take") {
  const auto app =
      resolve_given({{"name: e\ncomponents:\n- name: x\n  type: test::Unknown\n" + kScheduler},
                     {"e/what=1", "e/x/what=1"},
                     false});
  CHECK(app->count(Code::UnknownType) == 1);
  CHECK(app->count(Code::OverrideNoMatch) == 0);
}
