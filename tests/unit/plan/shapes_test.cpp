#include "plan/shapes.hpp"

#include <map>
#include <memory>
#include <string>

#include "catch.hpp"
#include "graph/application.hpp"
#include "gxr/error.hpp"
#include "gxr/queue.hpp"
#include "sdk/engine_access.hpp"

using namespace gxr;
using namespace gxr::test;

namespace {

/// Makes its output twice as long as its input.
class Doubling final : public GraphOperator {
 public:
  Doubling(const Graph& graph, const GraphComponent& codelet) {
    attach(in_, graph, codelet.handle("in"));
    attach(out_, graph, codelet.handle("out"));
  }
  void infer(ShapeContext& context) override {
    TensorSpec spec = context.input(in_);
    spec.shape = {2 * spec.shape.dimension(0)};
    context.set_scratch(10);
    context.set_parameters_to(std::int16_t{3});
    context.set_output(out_, spec);
    ++asked;
  }
  void capture(CaptureContext&) override {}

  int asked = 0;

 private:
  static void attach(Component& port, const Graph& graph, ComponentId id) {
    const GraphComponent& c = graph.components[id];
    EngineAccess::attach(port,
                         {nullptr, &c.name, &graph.entity_of(c).name, &c.type->name, id, c.entity});
  }

  DoubleBufferReceiver in_;
  DoubleBufferTransmitter out_;
};

class Operators final : public ShapeSource {
 public:
  explicit Operators(const Graph& graph) : graph_(graph) {}
  GraphOperator& graph_operator(ComponentId codelet) override {
    auto& made = made_[codelet];
    if (made == nullptr) {
      made = std::make_unique<Doubling>(graph_, graph_.components[codelet]);
    }
    return *made;
  }

 private:
  const Graph& graph_;
  std::map<ComponentId, std::unique_ptr<Doubling>> made_;
};

/// source -> a -> b -> sink, of which a and b are capturable.
std::unique_ptr<test::Application> chain() {
  return resolve_text(tx("source") + operator_stage("a") + operator_stage("b") + rx("sink") +
                      connect("source/signal", "a/in") + connect("a/out", "b/in") +
                      connect("b/out", "sink/signal") + kScheduler);
}

TensorSpec floats(std::int32_t count) { return {{count}, ElementType::Float32, 0, {}}; }

}  // namespace

TEST_CASE("a region has steps, tensors and ways in and out") {
  const auto app = chain();
  INFO(app->text());
  const Plan plan = make_plan(app->graph, app->catalog, {"resident"});
  REQUIRE(plan.regions.size() == 2);
  CHECK(plan.regions[0].body.items.size() == 2);
  CHECK(plan.bridges.size() == 2);
  CHECK(plan.buffers.empty());
  REQUIRE(plan.regions[1].graph);
  const GraphRegion& region = *plan.regions[1].graph;
  REQUIRE(region.steps.size() == 2);
  CHECK(region.steps[0].predecessors.empty());
  CHECK(region.steps[1].predecessors == std::vector<StepId>{0});
  REQUIRE(region.tensors.size() == 3);
  CHECK(region.tensors[0].producer == kNone);
  CHECK(region.tensors[0].consumers == std::vector<StepId>{0});
  CHECK(region.steps[0].reads == std::vector<TensorId>{0});
  CHECK(region.steps[0].writes == std::vector<TensorId>{1});
  CHECK(region.tensors[1].place == GraphTensor::Place::Arena);
  CHECK(region.tensors[2].place == GraphTensor::Place::Slot);
  REQUIRE(region.inputs.size() == 1);
  REQUIRE(region.outputs.size() == 1);
  CHECK(region.inputs[0].links[0].transmitter == app->component("source", "signal").id);
  CHECK(region.outputs[0].tensor == 2);
  CHECK(region.outputs[0].links[0].receiver == app->component("sink", "signal").id);
}

TEST_CASE("a region is laid out when a first message tells what was unknown, and again") {
  const auto app = chain();
  Diagnostics diagnostics;
  Plan plan = make_plan(app->graph, app->catalog, {"resident"}, diagnostics);
  Operators operators(app->graph);
  GraphRegion& region = *plan.regions[1].graph;
  infer_shapes(plan, operators, diagnostics);
  CHECK_FALSE(region.laid_out);
  CHECK_FALSE(region.tensors[1].spec);
  CHECK(region.steps[1].parameters.empty());

  GraphTensor& input = region.tensors[region.inputs[0].tensor];
  input.spec = floats(100);
  infer_shapes(plan, operators, diagnostics);
  CHECK(region.laid_out);
  CHECK(region.tensors[1].spec->bytes() == 800);
  CHECK(region.tensors[2].spec->bytes() == 1600);
  CHECK(region.arena_bytes == 1024 + 256);  // the second operator's scratch in that of the first
  REQUIRE(region.scratch.size() == 2);
  CHECK(region.steps[1].parameters.size() == sizeof(std::int16_t));

  input.spec = floats(50);
  infer_shapes(plan, operators, diagnostics);
  CHECK(region.tensors[2].spec->bytes() == 800);
  CHECK(region.scratch.size() == 2);
  CHECK(region.arena_bytes == 512 + 256);
  CHECK(diagnostics.all().empty());
}

TEST_CASE(
    "a plan without graphs has all operators on the CPU's executor, and says what is missing") {
  const auto app = chain();
  for (const char* executor : {"graph", "resident"}) {
    const Plan planned = make_plan(app->graph, app->catalog, {executor});
    REQUIRE(planned.regions.size() == 2);
    const Plan without = plan_without_graphs(planned);
    REQUIRE(without.regions.size() == 1);
    CHECK(without.regions[0].executor == planned.regions[0].executor);
    CHECK(without.regions[0].body.items.size() == 4);
    CHECK(without.bridges.empty());
    CHECK(without.buffers.size() == 3);
    CHECK(without.graphs_left_out == std::vector<std::string>{planned.regions[1].name});
  }
  const Plan threads = make_plan(app->graph, app->catalog, {"threads"});
  const Plan same = plan_without_graphs(threads);
  CHECK(same.regions[0].executor == ExecutorKind::Threads);
  CHECK(same.graphs_left_out.empty());
}

TEST_CASE("auto is resident when all shapes are known before the run, else launched by the host") {
  const auto app = chain();
  Diagnostics diagnostics;
  Operators operators(app->graph);
  Plan unknown = make_plan(app->graph, app->catalog, {"auto"}, diagnostics);
  infer_shapes(unknown, operators, diagnostics);
  CHECK(unknown.regions[1].executor == ExecutorKind::Graph);
  Plan known = make_plan(app->graph, app->catalog, {"auto"}, diagnostics);
  known.regions[1].graph->tensors[0].spec = floats(4);
  infer_shapes(known, operators, diagnostics);
  CHECK(known.regions[1].executor == ExecutorKind::Resident);
  CHECK(known.regions[1].graph->options.mode == GraphMode::Resident);
}
