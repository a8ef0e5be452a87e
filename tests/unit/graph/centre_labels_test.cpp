#include "graph/centre_labels.hpp"

#include <string>

#include "catch.hpp"

namespace gxr {
namespace {

TEST_CASE("Labels stand in the middle of their node's shape", "[graph][draw]") {
  const std::string shape =
      R"(<g id="node2" class="node"><path d="M171,-479C171,-479 73,-443 73,-479"/>)";
  const std::string edge =
      R"(<g class="edge"><text text-anchor="start" x="5" y="1">capacity 1</text></g>)";
  CHECK(
      centre_labels(shape + R"(<text text-anchor="start" x="102.5" y="-4">a</text></g>)" + edge) ==
      shape + R"(<text text-anchor="middle" x="122.00" y="-4">a</text></g>)" + edge);
  CHECK(
      centre_labels(
          R"(<g class="node"><ellipse rx="9" cx="12.5"/><text text-anchor="start" x="1"/></g>)") ==
      R"(<g class="node"><ellipse rx="9" cx="12.5"/><text text-anchor="middle" x="12.5"/></g>)");
}

TEST_CASE("What is no picture of nodes stays as it is", "[graph][draw]") {
  for (const std::string text :
       {"", "<svg/>", R"(<g class="node">)", R"(class="node"><text text-anchor="start" x=")"}) {
    CHECK(centre_labels(text) == text);
  }
}

}  // namespace
}  // namespace gxr
