// The GPU of components that choose none.

#include "plan/default_device.hpp"

#include "catch.hpp"
#include "fake_gpu.hpp"
#include "graph/graph.hpp"

namespace gxr::test {

TEST_CASE("The ranks of a host use its GPUs in turn", "[device]") {
  fake::set_devices(3);
  Graph graph;
  CHECK(default_device(graph) == 0);
  graph.rank_of_host = 2;
  CHECK(default_device(graph) == 2);
  CHECK(default_device(graph.copy()) == 2);
  graph.rank_of_host = 4;
  CHECK(default_device(graph) == 1);
  fake::set_devices(1);
  CHECK(default_device(graph) == 0);
}

}  // namespace gxr::test
