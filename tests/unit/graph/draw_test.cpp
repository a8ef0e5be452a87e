#include "graph/draw.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "catch.hpp"
#include "graph/application.hpp"
#include "graph/chain_rows.hpp"
#include "graph/part_alone.hpp"

using namespace gxr;
using namespace gxr::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("drawings show entities that work and their connections") {
  const auto app =
      resolve_text(tx("tx") + pass("'a<b>'") + rx("rx") + connect("tx/signal", "a<b>/in") +
                   connect("a<b>/out", "rx/signal") + kScheduler);
  INFO(app->text());
  REQUIRE(app->diagnostics.errors() == 0);
  Drawing drawing = make_drawing(app->graph, app->catalog);
  CHECK_THAT(draw_text(drawing), ContainsSubstring("tx  test::Tx; up to 10 ticks"));
  leave_out_details(drawing);
  CHECK(draw_text(drawing) ==
        "tx  test::Tx\n  signal -> a<b>/in\na<b>  test::Pass\n  out -> rx/signal\nrx  test::Rx\n");
  const std::string dot = draw_dot(drawing);
  CHECK_THAT(dot, ContainsSubstring("<b>a&lt;b&gt;</b>"));
  CHECK_THAT(dot, ContainsSubstring("n0 -> n1;"));
  CHECK_THAT(dot, !ContainsSubstring("scheduler"));
  CHECK_THAT(draw_mermaid(drawing), ContainsSubstring("n1 --> n2"));
}

TEST_CASE("long chains are drawn in rows that run to and fro") {
  Drawing drawing;
  for (std::size_t i = 0; i < 14; ++i) {
    Drawing::Node node;
    node.name = node.short_name = "n" + std::to_string(i);
    drawing.nodes.push_back(node);
    if (i > 0) {
      drawing.edges.push_back({i - 1, i, "out", "in"});
    }
  }
  const ChainRows rows = find_chain_rows(drawing);
  REQUIRE(rows.chains.size() == 1);
  CHECK(rows.chains[0] ==
        std::vector<ChainRows::Row>{{0, 1, 2, 3, 4, 5}, {11, 10, 9, 8, 7, 6}, {12, 13}});
  std::string reversed;
  for (const bool edge : rows.reversed) {
    reversed += edge ? '<' : '>';
  }
  CHECK(reversed == ">>>>>><<<<<>>");
  drawing.edges.push_back({13, 0, "out", "in"});  // a ring
  CHECK(find_chain_rows(drawing).chains.empty());
  drawing.edges.back() = {3, 9, "out", "in"};  // no chain is long now
  CHECK(find_chain_rows(drawing).chains.empty());
  drawing.edges.pop_back();
  drawing.nodes.resize(11);
  drawing.edges.resize(10);
  CHECK(find_chain_rows(drawing).chains.empty());
}

TEST_CASE("drawings show the components of entities") {
  const auto app =
      resolve_text(tx("tx") + pass("pass") + connect("tx/signal", "pass/in") + kScheduler);
  Drawing drawing = make_drawing(app->graph, app->catalog);
  REQUIRE(drawing.nodes.size() == 2);
  add_components(app->graph, app->catalog, drawing);
  REQUIRE(drawing.nodes.size() == 3);  // the scheduler's, too
  CHECK(drawing.nodes[2].name == "scheduler");
  REQUIRE(drawing.edges.size() == 1);
  const Drawing::Edge& edge = drawing.edges[0];
  CHECK(drawing.nodes[edge.from].parts.at(edge.from_part).name == "signal");
  CHECK(drawing.nodes[edge.from].parts.at(edge.from_part).kind == Drawing::Part::Kind::Transmitter);
  CHECK(drawing.nodes[edge.to].parts.at(edge.to_part).name == "in");
  const auto& parts = drawing.nodes[edge.to].parts;
  const auto term = std::ranges::find(parts, Drawing::Part::Kind::Term, &Drawing::Part::kind);
  REQUIRE(term != parts.end());
  CHECK(term->uses == std::vector<std::size_t>{edge.to_part});
  CHECK_THAT(draw_dot(drawing), ContainsSubstring("n0:p0:e -> n1:p0:w;"));
}

TEST_CASE("queues without a name are found by what edges call them") {
  const auto app = resolve_text(
      "name: tx\ncomponents:\n- type: gxr::DoubleBufferTransmitter\n- type: test::Tx\n"
      "  parameters: {signal: gxr::DoubleBufferTransmitter}\n" +
      rx("rx") + connect("tx/gxr::DoubleBufferTransmitter", "rx/signal") + kScheduler);
  INFO(app->text());
  Drawing drawing = make_drawing(app->graph, app->catalog);
  add_components(app->graph, app->catalog, drawing);
  for (const Drawing::Edge& edge : drawing.edges) {
    CHECK(edge.from_part == 0);
  }
}

TEST_CASE("entities are put around components that have none") {
  Application app;
  app.document.add_text({Source::Kind::File, "app.yaml",
                         "- type: gxr::DoubleBufferReceiver\n---\ntype: gxr::RealtimeClock\n"},
                        app.diagnostics);
  REQUIRE(app.document.parts().size() == 1);
  put_into_entities(app.document);
  REQUIRE(app.document.parts().size() == 3);
  for (std::size_t i = 0; i < 2; ++i) {
    const Value* const list = app.document.parts()[i].root->find("components");
    REQUIRE(list != nullptr);
    REQUIRE(list->size() == 1);
    CHECK(list->at(0).find("type") != nullptr);
  }
  REQUIRE(app.diagnostics.all().size() == 1);
  CHECK(lacks_surroundings(app.diagnostics.all()[0], app.document));
  Diagnostic elsewhere = app.diagnostics.all()[0];
  elsewhere.where.line = 7;
  CHECK_FALSE(lacks_surroundings(elsewhere, app.document));
  elsewhere.code = DiagnosticCode::ParameterValue;
  CHECK_FALSE(lacks_surroundings(elsewhere, app.document));
}

TEST_CASE("pictures of components that are drawn downwards have edges from below to above") {
  const auto app =
      resolve_text(tx("tx") + rx("rx") + connect("tx/signal", "rx/signal") + kScheduler);
  Drawing drawing = make_drawing(app->graph, app->catalog);
  add_components(app->graph, app->catalog, drawing);
  drawing.narrow = true;
  const std::string dot = draw_dot(drawing);
  CHECK_THAT(dot, ContainsSubstring("n0:p0:s -> n1:p0:n;"));
  const std::string source = dot.substr(dot.find("n0 ["), dot.find("n1 [") - dot.find("n0 ["));
  CHECK(source.find("room for 1 message") < source.find("port=\"p0\""));  // above the transmitter
}
