#include "graph/launch.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "graph/application.hpp"
#include "graph/expand.hpp"

using namespace gxr;
using namespace gxr::test;

namespace {

std::unique_ptr<Application> launch(const std::vector<std::string>& arguments,
                                    const std::string& more = {}) {
  auto app = std::make_unique<Application>();
  const Launch launch(arguments, app->document, app->diagnostics);
  if (!more.empty()) {
    app->document.add_text({Source::Kind::File, "more.yaml", more}, app->diagnostics);
  }
  launch.add_documents(app->catalog, app->document, app->diagnostics);
  if (app->diagnostics.errors() == 0) {
    app->graph = resolve(app->document, app->catalog, app->diagnostics);
  }
  return app;
}

/// The line means what the documents say.
void check_same(const std::string& line, const std::string& documents) {
  const auto launched = launch({line});
  INFO(launched->text());
  REQUIRE(launched->diagnostics.all().empty());
  const auto written = resolve_text(documents);
  INFO(written->text());
  CHECK(expand(launched->graph, launched->document) == expand(written->graph, written->document));
}

/// The line, written in the short form and read again, is the same application.
void check_round_trip(const std::string& line) {
  const auto launched = launch({line});
  INFO(launched->text());
  REQUIRE(launched->diagnostics.all().empty());
  const std::string text = expand_short(launched->graph, launched->document, launched->catalog);
  INFO(text);
  CHECK(text.find("components:") == std::string::npos);
  const auto again = resolve_text(text);
  INFO(again->text());
  CHECK(again->diagnostics.all().empty());
  CHECK(expand(again->graph, again->document) == expand(launched->graph, launched->document));
}

}  // namespace

TEST_CASE("A line becomes documents of the short form", "[launch]") {
  check_same("test::Tx :count=3 :period=30Hz ! test::Pass ! test::Rx",
             "---\nname: tx\noperator: test::Tx\ncount: 3\nperiod: 30Hz\n"
             "---\nname: pass\noperator: test::Pass\ninputs: {in: tx}\n"
             "---\nname: rx\noperator: test::Rx\ninputs: {signal: pass}\n");
}

TEST_CASE("Branches of a line begin and end at names", "[launch]") {
  check_same(
      "test::Tx :count=3 ! test::Broadcast :name=t ! test::Rx t. ! test::Rx t.own ! test::Rx",
      "---\nname: tx\noperator: test::Tx\ncount: 3\n"
      "---\nname: t\noperator: test::Broadcast\ninputs: {source: tx}\n"
      "---\nname: rx\noperator: test::Rx\ninputs: {signal: t}\n"
      "---\nname: rx_2\noperator: test::Rx\ninputs: {signal: t}\n"
      "---\nname: rx_3\noperator: test::Rx\ninputs: {signal: t/own}\n");
  check_same(
      "test::Tx :count=3 :name=a ! g. test::Tx :count=3 ! g.b  test::Gather :name=g ! test::Rx",
      "---\nname: a\noperator: test::Tx\ncount: 3\n"
      "---\nname: tx\noperator: test::Tx\ncount: 3\n"
      "---\nname: g\noperator: test::Gather\ninputs: {a: a, b: tx}\n"
      "---\nname: rx\noperator: test::Rx\ninputs: {signal: g}\n");
  check_same(
      "test::Tx :count=3 :name=a ! test::Pairs :name=p ! test::Rx  test::Tx :count=3 :name=b ! p. "
      "! "
      "test::Rx",
      "---\nname: a\noperator: test::Tx\ncount: 3\n"
      "---\nname: p\noperator: test::Pairs\ninputs: {a: a, b: b}\nports: {rx: , rx_2: }\n"
      "---\nname: rx\noperator: test::Rx\ninputs: {signal: p/rx}\n"
      "---\nname: b\noperator: test::Tx\ncount: 3\n"
      "---\nname: rx_2\noperator: test::Rx\ninputs: {signal: p/rx_2}\n");
  check_same("test::Camera :count=1 :name=c  c.extra ! test::Rx c.out ! test::Rx",
             "---\nname: c\noperator: test::Camera\ncount: 1\n"
             "---\nname: rx\noperator: test::Rx\ninputs: {signal: c/extra}\n"
             "---\nname: rx_2\noperator: test::Rx\ninputs: {signal: c/out}\n");
}

TEST_CASE("Several elements at one input, and ':inputs', make a list", "[launch]") {
  check_same(
      "test::Tx :count=3 :name=a ! r.  test::Tx :count=3 :name=b ! r.  test::Tx :count=3 :name=c  "
      "test::Rx :name=r :inputs={signal: c}",
      "---\nname: a\noperator: test::Tx\ncount: 3\n"
      "---\nname: b\noperator: test::Tx\ncount: 3\n"
      "---\nname: c\noperator: test::Tx\ncount: 3\n"
      "---\nname: r\noperator: test::Rx\ninputs: {signal: [c, a, b]}\n");
}

TEST_CASE("The short form of a line is the same application", "[launch]") {
  check_round_trip("test::Tx :count=3 ! test::Rx");
  check_round_trip(
      "test::Camera :count=3 :name=c  c.out ! test::Broadcast :name=t ! test::Rx t. ! test::Rx");
  check_round_trip(
      "test::Tx :count=3 ! test::Gather :name=g ! test::Pass ! test::Rx  test::Tx :count=1 ! g.");
  check_round_trip(
      "test::Tx :count=3 :ports={signal: {capacity: 4, policy: 0}} ! test::Rx :ports={signal: "
      "{min_size: 2, capacity: 3}} :terms=[{type: gxr::BooleanSchedulingTerm}]");
}

TEST_CASE("Other documents come behind those of the line", "[launch]") {
  const auto app =
      launch({"test::Tx :count=3 ! test::Rx"},
             "---\nname: tx\ncomponents:\n- {name: count, parameters: {count: 5}}\n" + kScheduler);
  INFO(app->text());
  CHECK(app->diagnostics.all().empty());
  CHECK(app->component("tx", "count").find("count")->value->text() == "5");
}

TEST_CASE("A line whose elements cannot be joined adds no document", "[launch]") {
  for (const char* const line :
       {"test::Rx ! test::Tx", "test::Camera ! test::Rx", "test::Tx test::Rx", "test::Tx ! x. ! y",
        "test::Tx :name=a ! test::Rx :name=a",
        "test::Tx ! test::Rx path=", "test::Tx.signal ! test::Rx",
        "test::Tx wrong ! test::Rx :wrong=2", "gxr::GreedyScheduler"}) {
    INFO(line);
    const auto app = launch({line});
    CHECK(app->diagnostics.errors() > 0);
    CHECK(app->document.parts().empty());
  }
}

TEST_CASE("An unknown type is all that is reported of its neighbours", "[launch]") {
  const auto app = launch({"test::Tx :count=3 ! test::Wrong ! test::Pass ! test::Rx"});
  INFO(app->text());
  CHECK(app->diagnostics.all().size() == 1);
  CHECK(app->only(DiagnosticCode::UnknownType).where == Location{1, 21, 1});
}

TEST_CASE("Names that are made differ from given ones", "[launch]") {
  const auto app =
      launch({"test::Tx :count=3 ! test::Pass :name=rx ! test::Pass ! test::Pass :name=pass_2 ! "
              "test::Pass ! test::Rx"});
  INFO(app->text());
  CHECK(app->diagnostics.all().empty());
  std::string names;
  for (const DocumentPart& part : app->document.parts()) {
    names += (names.empty() ? "" : " ") + std::string(part.root->find("name")->text());
  }
  CHECK(names == "tx rx pass pass_2 pass_3 rx_2");
}

TEST_CASE("Time for a long line grows with its length", "[launch]") {
  std::vector<std::string> arguments{"test::Tx", ":count=1"};
  for (int i = 0; i < 20000; ++i) {
    arguments.insert(arguments.end(), {"!", "test::Pass"});
  }
  const auto app = launch(arguments);
  CHECK(app->graph.entities.size() > 20000);
  std::string wide = "test::Tx :count=1 ! test::Broadcast :name=b";
  for (int i = 0; i < 5000; ++i) {
    wide += " b. ! test::Gather";
  }
  CHECK(launch({wide})->document.parts().size() == 5002);
  CHECK(launch({std::string(1 << 20, 'a')})->diagnostics.errors() == 1);
  CHECK(launch({std::string(1 << 20, '[')})->diagnostics.errors() == 1);
  CHECK(launch({"test::Tx x=" + std::string(1 << 20, '[')})->diagnostics.errors() == 1);
}
