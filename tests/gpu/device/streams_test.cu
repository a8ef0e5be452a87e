#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "catch.hpp"
#include "device/device_engine.hpp"
#include "gxr/cuda/check.hpp"
#include "gxr/cuda/data.hpp"
#include "gxr/cuda/green_context.hpp"
#include "gxr/cuda/streams.hpp"
#include "gxr/device_runtime.hpp"
#include "gxr/gxr.hpp"
#include "gxr/host_copy.hpp"
#include "kernels.cuh"
#include "sdk/engine_access.hpp"
#include "stream_graph.hpp"
#include "system/nanoseconds.hpp"
#include "tests/unit/sdk/harness.hpp"

namespace gxr::test {
namespace {

using Catch::Matchers::ContainsSubstring;
}  // namespace

TEST_CASE("The only consumer works on the producer's stream", "[streams]") {
  Graph graph;
  graph.source.work = publish_slowly;
  cuda::Stream producer = nullptr;
  cuda::Stream consumer = nullptr;
  graph.source.work = [&](Script& self, Streams& streams) {
    producer = streams.stream();
    publish_slowly(self, streams);
  };
  Script& sink = graph.add_consumer("sink");
  sink.work = [&](Script& self, Streams& streams) {
    const Message message = self.in.receive();
    consumer = streams.stream();
  };
  graph.harness.initialize();
  graph.harness.tick(graph.source);
  graph.harness.tick(sink);
  CHECK(producer != nullptr);
  CHECK(consumer == producer);
}

TEST_CASE("Several consumers have streams of their own, behind the producer's", "[streams]") {
  Graph graph;
  cuda::Stream producer = nullptr;
  graph.source.work = [&](Script& self, Streams& streams) {
    producer = streams.stream();
    publish_slowly(self, streams);
  };
  std::vector<cuda::Stream> used;
  std::vector<Script*> consumers;
  for (const char* name : {"a", "b"}) {
    consumers.push_back(&add_passing(graph, name, used));
  }
  graph.harness.initialize();
  graph.harness.tick(graph.source);
  for (Script* consumer : consumers) {
    graph.harness.tick(*consumer);
    Receiver& end = *consumer->out->receivers().front();
    end.sync();
    const Message message = end.receive();  // a codelet on the CPU: waits
    CHECK(is_full_of(message.get<Tensor>(), 2));
  }
  CHECK(used.at(0) != producer);
  CHECK(used.at(0) != used.at(1));
}

TEST_CASE("Raw streams, one for each message, and none where there is none", "[streams]") {
  Graph graph;
  graph.source.work = publish_slowly;
  auto& in = graph.harness.add<DoubleBufferReceiver>("sink/in", {{"capacity", "3"}});
  auto& other = graph.harness.add<DoubleBufferReceiver>("sink/other");
  auto& sink = graph.harness.add<Script>("sink/codelet", {{"in", "in"}, {"in2", "other"}});
  EngineAccess::connect(graph.source_out, in);
  std::vector<std::optional<cuda::Stream>> raw;
  std::vector<std::optional<cuda::Stream>> never;
  sink.work = [&](Script& self, Streams& streams) {
    self.in.receive();
    self.in.receive();
    raw = streams.streams(self.in);
    never = streams.streams(self.in2);
  };
  graph.harness.initialize();
  in.push(graph.harness.new_message());
  graph.harness.tick(graph.source);
  graph.harness.tick(sink);
  REQUIRE(raw.size() == 2);
  CHECK_FALSE(raw[0].has_value());
  CHECK(raw[1].has_value());
  CHECK(never.empty());
  CHECK(other.size() == 0);
}

TEST_CASE("Streams by name stay, are joined, and know their device", "[streams]") {
  Graph graph;
  bool same = false;
  int device = -1;
  graph.source.work = [&](Script& self, Streams& streams) {
    const cuda::Stream side = streams.named("side");
    same =
        side == streams.named("side") && side != streams.named("other") && side != streams.stream();
    device = streams.device_of(side);
    Message message = self.new_message();
    Tensor& tensor = self.make(message);
    streams.join({streams.stream()}, side);
    fill(tensor.data<std::int32_t>(), kCount, 1, kSlow, side);
    streams.uses(tensor, side);
    streams.join({side, nullptr, streams.stream()}, streams.stream());
    add(tensor.data<std::int32_t>(), tensor.data<std::int32_t>(), kCount, 1, 0, streams.stream());
    self.out.publish(message);
    CHECK_THROWS_WITH(streams.join({side}, nullptr), ContainsSubstring("did not hand out"));
    CHECK_THROWS_WITH(streams.device_of(cudaStreamLegacy), ContainsSubstring("did not hand out"));
  };
  auto& end = graph.harness.add<DoubleBufferReceiver>("end/in");
  EngineAccess::connect(graph.source_out, end);
  graph.harness.initialize();
  graph.harness.tick(graph.source);
  end.sync();
  CHECK(is_full_of(end.receive().get<Tensor>(), 2));
  CHECK(same);
  CHECK(device == 0);
  CHECK_THROWS_WITH(graph.source.own_streams().stream(), ContainsSubstring("outside of a tick"));
}

TEST_CASE("The last stream that is set for a port counts, in this tick, for this port",
          "[streams]") {
  Harness harness;
  auto& out = harness.add<DoubleBufferTransmitter>("source/out");
  auto& out2 = harness.add<DoubleBufferTransmitter>("source/out2");
  auto& source = harness.add<Script>("source/codelet", {{"out", "out"}, {"out2", "out2"}});
  auto& in = harness.add<DoubleBufferReceiver>("sink/in", {{"capacity", "4"}});
  auto& in2 = harness.add<DoubleBufferReceiver>("sink/in2", {{"capacity", "4"}});
  EngineAccess::connect(out, in);
  EngineAccess::connect(out2, in2);
  cuda::Stream own = nullptr;
  cuda::Stream last = nullptr;
  int ticks = 0;
  source.work = [&](Script& self, Streams& streams) {
    own = streams.stream();
    last = streams.named("last");
    if (ticks++ == 0) {
      streams.set_stream(self.out, streams.named("first"));
      streams.set_stream(self.out, last);
    }
    self.out.publish(self.new_message());
    self.out2.publish(self.new_message());
  };
  harness.initialize();
  harness.tick(source);
  harness.tick(source);
  in.sync();
  in2.sync();
  CHECK(in.receive_unfinished().device_work().stream->handle() == last);
  CHECK(in.receive_unfinished().device_work().stream->handle() == own);
  CHECK(in2.receive_unfinished().device_work().stream->handle() == own);
}

TEST_CASE("A message that is passed on takes along the last stream only", "[streams]") {
  Graph graph;
  graph.source.work = publish_slowly;
  Script& first = graph.add_consumer("first");
  Script& second = graph.add_consumer("second");  // so that nobody takes a stream over
  auto& end = graph.harness.add<DoubleBufferReceiver>("end/in");
  first.work = [](Script& self, Streams& streams) {
    Message message = self.in.receive();
    auto& tensor = message.make_writable<Tensor>();
    add(tensor.data<std::int32_t>(), tensor.data<std::int32_t>(), kCount, 4, 0, streams.stream());
    self.out.publish(message);
  };
  second.work = [](Script& self, Streams&) { self.in.receive(); };
  graph.harness.initialize();
  EngineAccess::connect(first.out.transmitter(), end);
  graph.harness.tick(graph.source);
  graph.harness.tick(second);
  graph.harness.tick(first);
  end.sync();
  const Message message = end.receive();
  CHECK(is_full_of(message.get<Tensor>(), 5));
}

TEST_CASE("A stream id in a message orders the consumer as well", "[streams]") {
  Harness harness;
  auto& memory = harness.add<UnboundedAllocator>("memory/pool");
  auto& in = harness.add<DoubleBufferReceiver>("sink/in");
  auto& out = harness.add<DoubleBufferTransmitter>("sink/out");
  auto& end = harness.add<DoubleBufferReceiver>("end/in");
  auto& sink =
      harness.add<Script>("sink/codelet", {{"in", "in"}, {"out", "out"}, {"pool", "memory/pool"}});
  EngineAccess::connect(out, end);
  sink.work = pass_plus_one;
  harness.initialize();
  const LeasedStream writer;
  Message message = harness.new_message();
  auto& tensor = message.add<Tensor>();
  tensor.allocate<std::int32_t>(memory, {kCount}, MemoryStorageType::Device);
  fill(tensor.data<std::int32_t>(), kCount, 6, kSlow, writer.get());
  message.add<cuda::CudaStreamId>().stream = &writer.get();
  in.push(std::move(message));
  harness.tick(sink);
  end.sync();
  CHECK(is_full_of(end.receive().get<Tensor>(), 7));
}

TEST_CASE("Work that occupies the legacy default stream holds nobody up", "[streams]") {
  int* flag = nullptr;
  REQUIRE(cudaHostAlloc(reinterpret_cast<void**>(&flag), sizeof(int), cudaHostAllocMapped) ==
          cudaSuccess);
  *flag = 0;
  Graph graph;
  graph.source.work = [](Script& self, Streams& streams) {
    Message message = self.new_message();
    Tensor& tensor = self.make(message);
    fill(tensor.data<std::int32_t>(), kCount, 1, 0, streams.stream());
    self.out.publish(message);
  };
  Script& sink = graph.add_consumer("sink");
  auto& end = graph.harness.add<DoubleBufferReceiver>("end/in");
  EngineAccess::connect(sink.out.transmitter(), end);
  sink.work = pass_plus_one;
  graph.harness.initialize();
  graph.harness.tick(graph.source);  // memory and modules are there from now on
  graph.harness.tick(sink);
  end.sync();
  end.receive();
  wait_for_flag(flag, cudaStreamLegacy);
  graph.harness.tick(graph.source);
  graph.harness.tick(sink);
  end.sync();
  const Message message = end.receive_unfinished();
  REQUIRE(message.device_work());
  message.wait_for_device();
  CHECK(cudaStreamQuery(cudaStreamLegacy) == cudaErrorNotReady);
  *flag = 1;
  CHECK(cudaStreamSynchronize(cudaStreamLegacy) == cudaSuccess);
  static_cast<void>(cudaFreeHost(flag));
}

TEST_CASE("A policy gives a tick its own stream, or the producer's", "[streams]") {
  Graph graph;
  cuda::Stream producer = nullptr;
  graph.source.work = [&](Script& self, Streams& streams) {
    producer = streams.stream();
    publish_slowly(self, streams);
  };
  std::vector<cuda::Stream> used;
  std::vector<Script*> consumers;
  const auto run = [&](Streams::Policy policy) {
    graph.harness.initialize();
    for (Script* consumer : consumers) {
      consumer->own_streams().set_policy(policy);
    }
    graph.harness.tick(graph.source);
    for (Script* consumer : consumers) {
      graph.harness.tick(*consumer);
      Receiver& end = *consumer->out->receivers().front();
      end.sync();
      CHECK(is_full_of(end.receive().get<Tensor>(), 2));
    }
  };
  consumers.push_back(&add_passing(graph, "a", used));
  SECTION("its own, although nobody else has the message") {
    run(Streams::Policy::Own);
    CHECK(used.at(0) != producer);
  }
  SECTION("the producer's, although others have the message") {
    consumers.push_back(&add_passing(graph, "b", used));
    run(Streams::Policy::Input);
    CHECK(used.at(0) == producer);
    CHECK(used.at(1) == producer);
  }
}

TEST_CASE("The default stream waits for a stream, and a stream for it", "[streams]") {
  int* flag = nullptr;
  REQUIRE(cudaHostAlloc(reinterpret_cast<void**>(&flag), sizeof(int), cudaHostAllocMapped) ==
          cudaSuccess);
  *flag = 0;
  DeviceRuntime& runtime = DeviceRuntime::get();
  const LeasedStream first;
  const LeasedStream second;
  wait_for_flag(flag, first.get().handle());
  runtime.order_default_stream_after(first.get().mark());
  runtime.order_after_default_stream(second.get());
  CHECK(cudaStreamQuery(cudaStreamLegacy) == cudaErrorNotReady);
  CHECK(cudaStreamQuery(second.get().handle()) == cudaErrorNotReady);
  *flag = 1;
  second.finish();
  CHECK(cudaStreamQuery(cudaStreamLegacy) == cudaSuccess);
  static_cast<void>(cudaFreeHost(flag));
}

TEST_CASE("Work on a stream is measured without the wait in front of it", "[streams]") {
  const auto spans = DeviceEngine::get().tools().make_spans();
  std::int32_t* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, sizeof(std::int32_t)) == cudaSuccess);
  int* flag = nullptr;
  REQUIRE(cudaHostAlloc(reinterpret_cast<void**>(&flag), sizeof(int), cudaHostAllocMapped) ==
          cudaSuccess);
  *flag = 0;
  const LeasedStream first;
  const LeasedStream second;
  std::vector<DeviceSpan> ended;
  const auto take = [&] {
    spans->take_ended([&](const DeviceSpan& span) { ended.push_back(span); });
  };
  const auto measured = [&](int number, const LeasedStream& stream, std::int64_t ns) {
    spans->number = number;
    spans->begin(stream.get());
    fill(memory, 1, 1, ns, stream.get());
    spans->end();
  };
  for (int i = 0; i < 100 && ended.empty(); ++i) {  // until the clocks are compared
    measured(0, first, 0);
    first.finish();
    take();
  }
  REQUIRE(ended.size() == 1);
  ended.clear();
  wait_for_flag(flag, first.get().handle());
  measured(1, first, kSlow);
  second.get().wait_for(first.get().mark());
  measured(2, second, kSlow / 4);
  take();
  CHECK(ended.empty());  // waits for nothing
  const std::int64_t before = steady_now();
  *flag = 1;
  second.finish();
  take();
  const std::int64_t after = steady_now();
  REQUIRE(ended.size() == 2);
  CHECK(ended[0].number == 1);
  CHECK(ended[1].number == 2);
  CHECK(ended[0].end_ns - ended[0].begin_ns >= kSlow);
  CHECK(ended[1].end_ns - ended[1].begin_ns >= kSlow / 4);
  constexpr std::int64_t kExact = 1'000'000;  // ns, of two clocks
  CHECK(ended[0].begin_ns > before - kExact);
  CHECK(ended[1].begin_ns > ended[0].end_ns - kExact);
  CHECK(ended[1].end_ns < after + kExact);
  static_cast<void>(cudaFree(memory));
  static_cast<void>(cudaFreeHost(flag));
}

TEST_CASE("A pool hands out no more streams than it may, and gets them back", "[streams]") {
  Harness harness;
  auto& pool = harness.add<cuda::CudaStreamPool>(
      "camera/streams", {{"reserved_size", "1"}, {"max_size", "2"}, {"stream_priority", "-100"}});
  harness.initialize();
  DeviceStream& first = pool.acquire();
  DeviceStream& second = pool.acquire();
  CHECK(first.handle() != second.handle());
  CHECK_THROWS_WITH(pool.acquire(), ContainsSubstring("each of its 2 streams is in use") &&
                                        ContainsSubstring("max_size"));
  int priority = 0;
  CHECK(cudaStreamGetPriority(first.handle(), &priority) == cudaSuccess);
  CHECK(priority < 0);  // clipped to what the device has
  unsigned flags = 0;
  CHECK(cudaStreamGetFlags(first.handle(), &flags) == cudaSuccess);
  CHECK(flags == cudaStreamNonBlocking);
  pool.release(first);
  CHECK(&pool.acquire() == &first);
  pool.release(first);
  pool.release(second);
  CHECK_THROWS_WITH(pool.allocate(1, MemoryStorageType::Device), ContainsSubstring("not memory"));
}

TEST_CASE("Streams of a green context may be asked for before its pool is initialized",
          "[streams]") {
  Harness harness;
  auto& contexts = harness.add<cuda::CudaGreenContextPool>(
      "gpu/contexts", {{"sms_per_partition", "[8]"}, {"dev_id", "0"}});
  harness.add<cuda::CudaGreenContext>("gpu/context",
                                      {{"cuda_green_context_pool", "contexts"}, {"index", "0"}});
  auto& pool =
      harness.add<cuda::CudaStreamPool>("gpu/streams", {{"cuda_green_context", "context"}});
  pool.initialize();
  CHECK(contexts.partition(0).sm_count() >= 8);
  pool.release(pool.acquire());
  pool.deinitialize();
  contexts.deinitialize();
}

TEST_CASE("What a message waits for is kept when another stream publishes it", "[streams]") {
  Harness harness;
  auto& memory = harness.add<UnboundedAllocator>("memory/pool");
  auto& out = harness.add<DoubleBufferTransmitter>("source/out");
  auto& source = harness.add<Script>("source/codelet", {{"out", "out"}});
  auto& end = harness.add<DoubleBufferReceiver>("end/in");
  EngineAccess::connect(out, end);
  const LeasedStream writer;
  source.work = [&](Script& self, Streams& streams) {
    Message message = self.new_message();
    auto& tensor = message.add<Tensor>();
    tensor.allocate<std::int32_t>(memory, {kCount}, MemoryStorageType::Device);
    writer.get().wait_for(streams.event(streams.stream()));  // behind the memory's former users
    fill(tensor.data<std::int32_t>(), kCount, 9, kSlow, writer.get());
    message.set_device_work(writer.get().mark());
    self.out.publish(message);  // by the tick's stream, which did nothing
  };
  harness.initialize();
  harness.tick(source);
  end.sync();
  CHECK(is_full_of(end.receive().get<Tensor>(), 9));
}

TEST_CASE("Green contexts that come and go leave nothing behind", "[streams]") {
  DeviceRuntime& runtime = DeviceRuntime::get();
  DeviceStream* first = nullptr;
  std::uint64_t number = 0;
  for (int i = 0; i < 3; ++i) {
    const auto partitions = runtime.split_device(0, {8}, 1, 0);
    DeviceStream& stream = runtime.acquire_stream({.partition = partitions.front().get()});
    first = first == nullptr ? &stream : first;
    CHECK(&stream == first);  // the object of the stream that went with its context
    CHECK(runtime.find_stream(stream.handle()) == &stream);
    CHECK(cudaStreamQuery(stream.handle()) == cudaSuccess);
    const DeviceWork work = stream.mark();
    CHECK(work.number > number);
    number = work.number;
    stream.wait_on_host(number);
    runtime.release_stream(stream);
  }
}

TEST_CASE("Green contexts have work queues of their own, or say why not", "[streams]") {
  DeviceRuntime& runtime = DeviceRuntime::get();
  try {
    const auto partitions = runtime.split_device(0, {8}, 1, 4);
    DeviceStream& stream = runtime.acquire_stream({.partition = partitions.front().get()});
    stream.wait_on_host(stream.mark().number);
    runtime.release_stream(stream);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::NotSupported);
    CHECK_THAT(error.message(), ContainsSubstring("gives green contexts no work queues"));
  }
}

TEST_CASE("Green contexts keep work to their SMs", "[streams]") {
  Harness harness;
  auto& contexts = harness.add<cuda::CudaGreenContextPool>(
      "gpu/contexts", {{"num_partitions", "2"}, {"sms_per_partition", "[16, 8]"}});
  harness.add<cuda::CudaGreenContext>("gpu/context",
                                      {{"cuda_green_context_pool", "contexts"}, {"index", "0"}});
  auto& pool =
      harness.add<cuda::CudaStreamPool>("gpu/streams", {{"cuda_green_context", "context"}});
  harness.initialize();
  const unsigned sms = contexts.partition(0).sm_count();
  CHECK(sms >= 16);
  CHECK(contexts.partition(-1).sm_count() > sms);  // the rest of the device
  CHECK_THROWS_WITH(contexts.partition(7), ContainsSubstring("no partition 7; it has 3"));
  DeviceStream& stream = pool.acquire();
  constexpr unsigned kBlocks = 512;
  UnboundedAllocator& memory = harness.add<UnboundedAllocator>("gpu/memory");
  harness.initialize();
  Tensor tensor;
  tensor.allocate<std::uint32_t>(memory, {kBlocks}, MemoryStorageType::Device);
  note_sms(tensor.data<std::uint32_t>(), kBlocks, stream.handle());
  stream.wait_on_host(stream.mark().number);
  const HostView view(tensor);
  const auto* used = reinterpret_cast<const std::uint32_t*>(view.pointer());
  CHECK(std::set<std::uint32_t>(used, used + kBlocks).size() <= sms);
  pool.release(stream);
}

}  // namespace gxr::test
