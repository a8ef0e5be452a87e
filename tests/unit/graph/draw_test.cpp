#include "graph/draw.hpp"

#include "catch.hpp"
#include "graph/application.hpp"

using namespace gxr;
using namespace gxr::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("drawings show entities that work and their connections") {
  const auto app =
      resolve_text(tx("tx") + pass("'a<b>'") + rx("rx") + connect("tx/signal", "a<b>/in") +
                   connect("a<b>/out", "rx/signal") + kScheduler);
  INFO(app->text());
  REQUIRE(app->diagnostics.errors() == 0);
  CHECK(draw_text(make_drawing(app->graph, app->catalog)) ==
        "tx  test::Tx\n  signal -> a<b>/in\na<b>  test::Pass\n  out -> rx/signal\nrx  test::Rx\n");
  const std::string dot = draw_dot(make_drawing(app->graph, app->catalog));
  CHECK_THAT(dot, ContainsSubstring("n1 [label=<<b>a&lt;b&gt;</b>"));
  CHECK_THAT(dot, ContainsSubstring("n0 -> n1 [label=<signal \u2192 in>]"));
  CHECK_THAT(dot, !ContainsSubstring("scheduler"));
  CHECK_THAT(draw_mermaid(make_drawing(app->graph, app->catalog)),
             ContainsSubstring("n1 -->|\"out \u2192 signal\"| n2"));
}
