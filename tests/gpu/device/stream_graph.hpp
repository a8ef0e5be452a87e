#pragma once

// Codelets with streams, and a source with consumers, for tests of what runs on which stream.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gxr/cuda/streams.hpp"
#include "gxr/gxr.hpp"
#include "gxr/host_copy.hpp"
#include "kernels.cuh"
#include "sdk/engine_access.hpp"
#include "tests/unit/sdk/harness.hpp"

namespace gxr::test {

using cuda::Streams;
using gxr::harness::Harness;

inline constexpr std::int32_t kCount = 1 << 16;
inline constexpr std::int64_t kSlow = 20'000'000;  // ns

/// A codelet that does what the test says, with up to two inputs and outputs.
class Script final : public cuda::Codelet {
 public:
  void declare(Interface& interface) override {
    Codelet::declare(interface);
    interface.input(in, "in", "").optional();
    interface.input(in2, "in2", "").optional();
    interface.output(out, "out", "").optional();
    interface.output(out2, "out2", "").optional();
    interface.parameter(pool, "pool", "").optional();
  }
  std::function<void(Script&, Streams&)> work;
  Streams& own_streams() { return streams(); }

  gxr::Input<> in;
  gxr::Input<> in2;
  gxr::Output<> out;
  gxr::Output<> out2;
  Parameter<Handle<Allocator>> pool;

  Tensor& make(Message& message) {
    auto& tensor = message.add<Tensor>();
    tensor.allocate<std::int32_t>(*pool.get().get(), {kCount}, MemoryStorageType::Device);
    return tensor;
  }
  Message new_message() { return context().new_message(); }

 private:
  void enqueue(Streams& streams) override { work(*this, streams); }
};

/// Publishes a tensor full of 1, written slowly.
inline void publish_slowly(Script& self, Streams& streams) {
  Message message = self.new_message();
  Tensor& tensor = self.make(message);
  fill(tensor.data<std::int32_t>(), kCount, 1, kSlow, streams.stream());
  self.out.publish(message);
}

/// A source with one output, codelets behind it, and what they are connected by.
struct Graph {
  Harness harness;
  UnboundedAllocator& memory = harness.add<UnboundedAllocator>("memory/pool");
  DoubleBufferTransmitter& source_out = harness.add<DoubleBufferTransmitter>("source/out");
  Script& source = harness.add<Script>("source/codelet", {{"out", "out"}, {"pool", "memory/pool"}});

  Script& add_consumer(const std::string& entity) {
    auto& in = harness.add<DoubleBufferReceiver>(entity + "/in");
    auto& out = harness.add<DoubleBufferTransmitter>(entity + "/out");
    auto& codelet = harness.add<Script>(entity + "/codelet",
                                        {{"in", "in"}, {"out", "out"}, {"pool", "memory/pool"}});
    EngineAccess::connect(source_out, in);
    static_cast<void>(out);
    return codelet;
  }
};

inline void pass_plus_one(Script& self, Streams& streams);

/// A consumer that passes on its input plus 1, to a receiver of nobody; notes its streams.
inline Script& add_passing(Graph& graph, const std::string& name, std::vector<cuda::Stream>& used) {
  Script& consumer = graph.add_consumer(name);
  auto& end = graph.harness.add<DoubleBufferReceiver>("end" + name + "/in");
  EngineAccess::connect(consumer.out.transmitter(), end);
  consumer.work = [&used](Script& self, Streams& streams) {
    pass_plus_one(self, streams);
    used.push_back(streams.stream());
  };
  return consumer;
}

inline bool is_full_of(const Tensor& tensor, std::int32_t value) {
  const HostView view(tensor);
  const auto* values = reinterpret_cast<const std::int32_t*>(view.pointer());
  return std::all_of(values, values + tensor.element_count(),
                     [&](std::int32_t v) { return v == value; });
}

/// out = in + 1.
inline void pass_plus_one(Script& self, Streams& streams) {
  const Message message = self.in.receive();
  Message sum = self.new_message();
  Tensor& tensor = self.make(sum);
  add(message.get<Tensor>().data<std::int32_t>(), tensor.data<std::int32_t>(), kCount, 1, 0,
      streams.stream());
  self.out.publish(sum);
}

}  // namespace gxr::test
