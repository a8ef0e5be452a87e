#include "graph/draw.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "graph/application.hpp"
#include "graph/chain_rows.hpp"

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
