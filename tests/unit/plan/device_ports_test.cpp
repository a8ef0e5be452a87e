#include "gxr/cuda/device_ports.hpp"

#include <array>
#include <map>
#include <memory>
#include <string>

#include "catch.hpp"
#include "graph/application.hpp"
#include "gxr/error.hpp"
#include "plan/own_memory.hpp"
#include "plan/region_changes.hpp"
#include "plan/shapes.hpp"
#include "sdk/engine_access.hpp"
#include "tests/unit/sdk/harness.hpp"

using namespace gxr;
using namespace gxr::test;
using Catch::Matchers::ContainsSubstring;
using gxr::cuda::DevicePort;
using gxr::cuda::DeviceReceiver;
using gxr::cuda::DeviceTransmitter;
using gxr::harness::Harness;

namespace {

/// Leaves what its output is to the port.
class Silent final : public GraphOperator {
 public:
  void infer(ShapeContext& context) override { context.set_scratch(100); }
  void capture(CaptureContext&) override {}
};

/// a -> b -> sink, of which a and b are one graph. Their ports are device ports of the test.
class Chain final : public ShapeSource {
 public:
  Chain()
      : app(resolve_text(tx("source") + operator_stage("a") + operator_stage("b") + rx("sink") +
                         connect("source/signal", "a/in") + connect("a/out", "b/in") +
                         connect("b/out", "sink/signal") + kScheduler)),
        plan(make_plan(app->graph, app->catalog, {"resident"}, diagnostics)) {}

  template <class Port>
  Port& add(const std::string& entity, const std::string& name,
            Harness::Parameters parameters = {}) {
    Port& port = harness.add<Port>(entity + "/" + name, parameters);
    ports_[app->component(entity, name).id] = &port;
    return port;
  }
  void infer() {
    diagnostics = Diagnostics();
    infer_shapes(plan, *this, diagnostics);
  }
  GraphOperator& graph_operator(ComponentId) override { return silent_; }
  const DevicePort* device_port(ComponentId queue) override {
    const auto found = ports_.find(queue);
    return found == ports_.end() ? nullptr : found->second;
  }
  [[nodiscard]] bool started() const override { return is_started; }
  GraphRegion& region() { return *plan.regions[1].graph; }
  /// Of the tensor between a and b.
  DevicePort::Memory memory() { return own_memory(app->graph, region(), 1, *this); }

  Diagnostics diagnostics;
  std::unique_ptr<test::Application> app;
  Plan plan;
  Harness harness;
  bool is_started = false;

 private:
  Silent silent_;
  std::map<ComponentId, const DevicePort*> ports_;
};

}  // namespace

TEST_CASE("a device port says what its parameters or its operator say, until the end") {
  Harness harness;
  auto& in = harness.add<DeviceReceiver>(
      "a/in", {{"tensor", "{shape: [4], dtype: float32}"}, {"own_pointer", "true"}});
  auto& out = harness.add<DeviceTransmitter>("a/out", {{"bytes", "16"}});
  harness.initialize();
  CHECK(in.tensor()->to_string() == "float32 [4]");
  CHECK_FALSE(in.bytes());
  CHECK(in.has_own_memory());
  CHECK(in.memory().pointer == nullptr);
  CHECK(out.bytes() == 16);
  CHECK_FALSE(out.has_own_memory());
  CHECK(EngineAccess::ring(in) != nullptr);
  CHECK(cuda::device_port(in) == &in);
  CHECK(cuda::device_port(harness.add<DoubleBufferReceiver>("b/in")) == nullptr);

  std::array<char, 32> memory{};
  in.set_bytes(32);
  in.set_pointer(memory.data(), memory.size());
  out.set_tensor({{2, 2}, ElementType::Int8, 0, {}});
  CHECK(in.bytes() == 32);
  CHECK_FALSE(in.tensor());
  CHECK(in.memory().pointer == memory.data());
  CHECK(out.tensor()->bytes() == 4);
  CHECK_FALSE(out.bytes());
  CHECK_THROWS_AS(in.set_bytes(0), Error);
  CHECK_THROWS_AS(in.set_tensor({{0}, ElementType::Int8, 0, {}}), Error);
  CHECK_THROWS_AS(in.set_pointer(nullptr, 8), Error);
  CHECK_THROWS_AS(in.set_pointer(memory.data(), 0), Error);

  harness.deinitialize();
  CHECK(in.tensor()->to_string() == "float32 [4]");
  CHECK(in.memory().pointer == nullptr);
  CHECK(out.bytes() == 16);
}

TEST_CASE("sizes that operators change in initialize() give the region another layout") {
  Chain chain;
  auto& in = chain.add<DeviceReceiver>("a", "in", {{"bytes", "1000"}});
  auto& mid = chain.add<DeviceTransmitter>("a", "out", {{"bytes", "0"}});
  auto& out = chain.add<DeviceTransmitter>("b", "out", {{"bytes", "500"}});
  chain.infer();
  CHECK(chain.diagnostics.all().empty());
  CHECK_FALSE(chain.region().laid_out);
  CHECK(chain.region().tensors[0].spec->bytes() == 1000);
  CHECK(chain.region().tensors[0].only_bytes);

  const GraphRegion planned = chain.region();
  chain.is_started = true;
  in.set_bytes(2000);
  mid.set_bytes(3000);
  out.set_tensor({{20, 30}, ElementType::Float32, 0, {}});
  chain.infer();
  CHECK(chain.diagnostics.all().empty());
  CHECK(chain.region().laid_out);
  CHECK(chain.region().arena_bytes == 3072 + 256);  // the tensor between them, and scratch
  CHECK(describe_changes(chain.app->graph, planned, chain.region()) ==
        std::vector<std::string>{
            "'a/in' is uint8 [2000], 2000 bytes; it was planned as uint8 [1000], 1000 bytes",
            "'a/out' is uint8 [3000], 3000 bytes; it was planned as unknown",
            "'b/out' is float32 [20, 30], 2400 bytes; it was planned as uint8 [500], 500 bytes",
            "the arena has 3328 bytes; planned were unknown"});
  CHECK(describe_changes(chain.app->graph, chain.region(), chain.region()).empty());
}

TEST_CASE(
    "a size that nobody has said when the operators have started is an error with both ends") {
  Chain chain;
  chain.add<DeviceReceiver>("a", "in", {{"bytes", "8"}});
  chain.add<DeviceTransmitter>("a", "out", {{"bytes", "0"}});
  auto& to = chain.add<DeviceReceiver>("b", "in", {{"bytes", "0"}});
  chain.add<DeviceTransmitter>("b", "out", {{"bytes", "8"}});
  chain.infer();
  CHECK(chain.diagnostics.all().empty());
  CHECK(unknown_tensors(chain.app->graph, chain.region()) == "'a/out'");

  chain.is_started = true;
  chain.infer();
  REQUIRE(chain.diagnostics.all().size() == 1);
  CHECK(chain.diagnostics.all()[0].code == DiagnosticCode::DevicePortNoSize);
  CHECK_THAT(chain.diagnostics.all()[0].text, ContainsSubstring("from 'a/out' to 'b/in'"));

  to.set_bytes(64);
  chain.infer();
  REQUIRE(chain.diagnostics.all().size() == 1);
  CHECK(chain.diagnostics.all()[0].code == DiagnosticCode::DevicePortOneSize);
  CHECK(chain.diagnostics.errors() == 0);
  CHECK(chain.region().laid_out);
  CHECK(chain.region().tensors[1].spec->bytes() == 64);
}

TEST_CASE("more than 2 GiB are declared by bytes, too") {
  Chain chain;
  chain.add<DeviceTransmitter>("a", "out", {{"bytes", "5000000000"}});
  chain.add<DeviceReceiver>("b", "in", {{"tensor", "\"float32 [1250, 1000000]\""}});
  chain.infer();
  CHECK(chain.region().tensors[1].spec->to_string() == "float32 [1250, 1000000]");
  Chain alone;
  alone.add<DeviceTransmitter>("a", "out", {{"bytes", "5000000000"}});
  alone.infer();
  CHECK(alone.region().tensors[1].spec->bytes() == 5'000'000'000U);
}

TEST_CASE("memory that operators give is the one pointer of its tensor, and large enough") {
  Chain chain;
  auto& from = chain.add<DeviceTransmitter>("a", "out", {{"own_pointer", "true"}});
  auto& to = chain.add<DeviceReceiver>("b", "in", {{"bytes", "64"}});
  chain.add<DeviceTransmitter>("b", "out", {{"bytes", "8"}});
  chain.infer();
  const GraphTensor& tensor = chain.region().tensors[1];
  CHECK(chain.diagnostics.all().empty());
  CHECK(tensor.owner == chain.app->component("a", "out").id);
  CHECK(tensor.spec->bytes() == 64);
  CHECK_THROWS_WITH(chain.memory(),
                    ContainsSubstring("the operator of 'a/out' (connected to 'b/in') was to give "
                                      "its memory (own_pointer), but has not"));

  std::array<char, 64> memory{};
  from.set_pointer(memory.data(), 63);
  CHECK_THROWS_WITH(chain.memory(),
                    ContainsSubstring("the memory of 'a/out' (connected to 'b/in') has 63 bytes, "
                                      "but the tensor uint8 [64] needs 64"));
  from.set_pointer(memory.data(), 64);
  CHECK(chain.memory().pointer == memory.data());

  to.set_pointer(memory.data() + 1, 64);
  CHECK_THROWS_WITH(chain.memory(), ContainsSubstring("'a/out' and 'b/in' are one tensor"));
  to.set_pointer(memory.data(), 10);
  CHECK_THROWS_WITH(chain.memory(),
                    ContainsSubstring("the memory of 'b/in' (connected to 'a/out') has 10 bytes"));
  to.set_pointer(memory.data(), 100);
  CHECK(chain.memory().pointer == memory.data());
}

TEST_CASE("the memory's size is the tensor's when nobody says another") {
  Chain chain;
  chain.add<DeviceTransmitter>("a", "out");
  auto& to = chain.add<DeviceReceiver>("b", "in");
  chain.add<DeviceTransmitter>("b", "out", {{"bytes", "8"}});
  std::array<char, 48> memory{};
  to.set_pointer(memory.data(), memory.size());
  chain.infer();
  CHECK(chain.diagnostics.all().empty());
  const GraphTensor& tensor = chain.region().tensors[1];
  CHECK(tensor.spec->bytes() == 48);
  CHECK(tensor.owner == chain.app->component("b", "in").id);
  CHECK(chain.memory().pointer == memory.data());
}
