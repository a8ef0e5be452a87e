#include "plan/switched_off.hpp"

#include "catch.hpp"
#include "made_region.hpp"

namespace {

using namespace gxr;
using test::MadeRegion;

TensorSpec row(std::int32_t size) { return {{size}, ElementType::Int32, 0, {}}; }

/// A graph of entities with these numbers of components each.
Graph graph_of(std::initializer_list<std::size_t> components) {
  Graph graph;
  for (const std::size_t count : components) {
    const EntityId entity = graph.add_entity({}, {}).id;
    for (std::size_t i = 0; i < count; ++i) {
      graph.add_component(entity).name = "port";
    }
  }
  return graph;
}

}  // namespace

TEST_CASE("What keeps its memory for itself may be switched off", "[switched_off]") {
  const Graph graph = graph_of({1, 1});
  MadeRegion made;
  made.step({}, {});
  made.step({}, {0});
  for (StepId step = 0; step < 2; ++step) {
    made.region.steps[step].entity = step;
    made.region.steps[step].writes = {step};
    made.region.tensors[step].transmitter = step;
    made.region.tensors[step].spec = row(64);
    made.region.tensors[step].offset = 256 * step;
  }
  CHECK(why_not_off(graph, made.region, 0).empty());
  // What is delayed in its place lies where the other tensor does.
  const TensorId delayed = made.delayed(1, {0});
  made.region.tensors[delayed].in_place = true;
  made.region.tensors[delayed].spec = row(64);
  CHECK(why_not_off(graph, made.region, 0).empty());
  CHECK(why_not_off(graph, made.region, 1).empty());
  made.region.scratch.push_back({1, 300, 512});
  CHECK(why_not_off(graph, made.region, 1).empty());
  made.region.scratch.back().offset = 256;
  CHECK_FALSE(why_not_off(graph, made.region, 1).empty());
  made.region.tensors[1].place = GraphTensor::Place::Slot;
  CHECK(why_not_off(graph, made.region, 1).empty());
}

TEST_CASE("The first input passes to the first output, in the order of the file",
          "[switched_off]") {
  // Components 2 to 5 are receivers and transmitters of entity 1.
  const Graph graph = graph_of({2, 4});
  MadeRegion made;
  made.step({}, {});
  made.step({}, {});
  const StepId filter = made.step({}, {0, 1});
  const auto more = static_cast<TensorId>(made.region.tensors.size());
  made.region.tensors.emplace_back();
  GraphStep& step = made.region.steps[filter];
  step.entity = 1;
  step.reads = {0, 1};
  step.writes = {filter, more};
  step.traits.pass_through = true;
  made.region.tensors[0].receivers = {3, 0};  // the latter of another entity
  made.region.tensors[1].receivers = {2};
  for (const TensorId id : {TensorId{0}, TensorId{1}, filter, more}) {
    made.region.tensors[id].transmitter = 4;
    made.region.tensors[id].spec = row(64);
  }
  made.region.tensors[0].spec = row(32);
  CHECK(passed_on(graph, made.region, filter).from == 1);
  CHECK(passed_on(graph, made.region, filter).to == filter);
  // All lie at the same place: that matters to the second output only.
  CHECK_FALSE(why_not_off(graph, made.region, filter).empty());
  made.region.tensors[more].place = GraphTensor::Place::Slot;
  CHECK(why_not_off(graph, made.region, filter).empty());
  made.region.tensors[1].spec->content = "Bayer RGGB";
  CHECK_FALSE(why_not_off(graph, made.region, filter).empty());
  made.region.tensors[filter].only_bytes = true;
  CHECK(why_not_off(graph, made.region, filter).empty());
  made.region.tensors[1].spec = row(65);
  CHECK_FALSE(why_not_off(graph, made.region, filter).empty());
}

TEST_CASE("What decides about a While is not switched off", "[switched_off]") {
  const Graph graph = graph_of({1, 1});
  MadeRegion made;
  const BranchId loop = made.branch(BranchKind::While, 1, 1);
  const BranchId choice = made.branch(BranchKind::If, 0, 1, {loop, 0});
  made.step({}, {});
  made.step({{loop, 0}}, {0});
  for (GraphStep& step : made.region.steps) {
    step.writes.clear();  // nothing is laid out
  }
  made.region.branches[loop].component = 0;
  made.region.branches[choice].component = 1;
  made.region.steps[0].entity = 0;
  made.region.steps[1].entity = 1;
  CHECK(why_not_off(graph, made.region, 0).empty());
  CHECK_FALSE(why_not_off(graph, made.region, 1).empty());
}
