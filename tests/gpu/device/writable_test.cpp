// Messages with device work that are changed while others hold them, or still read them.

#include <cstdint>
#include <utility>

#include "catch.hpp"
#include "gxr/device_runtime.hpp"
#include "gxr/gxr.hpp"
#include "kernels.cuh"
#include "sdk/engine_access.hpp"
#include "stream_graph.hpp"

namespace gxr::test {
namespace {

/// Adds 8 to the message's tensor where it is, and publishes it.
void add_in_place(Script& self, Streams& streams) {
  Message message = self.in.receive();
  auto* const values = message.make_writable<Tensor>().data<std::int32_t>();
  add(values, values, kCount, 8, 0, streams.stream());
  self.out.publish(std::move(message));
}

/// Two consumers of one source, and what each publishes.
struct Fork {
  Graph graph;
  Script& reader = graph.add_consumer("reader");
  Script& writer = graph.add_consumer("writer");
  DoubleBufferReceiver& read = graph.harness.add<DoubleBufferReceiver>("end_read/in");
  DoubleBufferReceiver& written = graph.harness.add<DoubleBufferReceiver>("end_written/in");

  Fork() {
    EngineAccess::connect(reader.out.transmitter(), read);
    EngineAccess::connect(writer.out.transmitter(), written);
    graph.source.work = publish_slowly;
    writer.work = add_in_place;
  }
};

Message taken(DoubleBufferReceiver& port) {
  port.sync();
  return port.receive();
}

}  // namespace

TEST_CASE("A copy that may be changed is made behind the work that writes the tensor",
          "[writable]") {
  Fork fork;
  fork.reader.work = pass_plus_one;
  fork.graph.harness.initialize();
  fork.graph.harness.tick(fork.graph.source);
  fork.graph.harness.tick(fork.writer);  // the reader has the message, too
  fork.graph.harness.tick(fork.reader);
  CHECK(is_full_of(taken(fork.written).get<Tensor>(), 9));
  CHECK(is_full_of(taken(fork.read).get<Tensor>(), 2));
}

TEST_CASE("A copy waits for a stream that the message names and nobody has received",
          "[writable]") {
  Fork fork;
  fork.reader.work = [](Script& self, Streams& /*streams*/) { self.in.receive(); };
  const LeasedStream other;
  fork.graph.source.work = [&](Script& self, Streams& streams) {
    Message message = self.new_message();
    Tensor& tensor = self.make(message);
    other.get().wait_for(streams.event(streams.stream()));  // behind the memory's former users
    fill(tensor.data<std::int32_t>(), kCount, 1, kSlow, other.get());
    message.set_device_work(other.get().mark());
    const Message kept = message;
    message.make_writable<Tensor>();
    self.out.publish(std::move(message));
  };
  fork.graph.harness.initialize();
  fork.graph.harness.tick(fork.graph.source);
  fork.graph.harness.tick(fork.writer);
  CHECK(is_full_of(taken(fork.written).get<Tensor>(), 9));
}

TEST_CASE("Who changes a tensor in place waits for readers that still work", "[writable]") {
  Fork fork;
  const void* original = nullptr;
  fork.reader.work = [&](Script& self, Streams& streams) {
    Message sum = self.new_message();
    Tensor& tensor = self.make(sum);
    const Message message = self.in.receive();
    original = message.get<Tensor>().pointer();
    // It reads when the writer would long be ready.
    add(message.get<Tensor>().data<std::int32_t>(), tensor.data<std::int32_t>(), kCount, 1, kSlow,
        streams.stream());
    self.out.publish(sum);
  };
  const void* changed = nullptr;
  fork.writer.work = [&](Script& self, Streams& streams) {
    Message message = self.in.receive();
    Tensor& tensor = message.make_writable<Tensor>();
    changed = tensor.pointer();
    add(tensor.data<std::int32_t>(), tensor.data<std::int32_t>(), kCount, 8, 0, streams.stream());
    self.out.publish(std::move(message));
  };
  fork.graph.harness.initialize();
  fork.graph.harness.tick(fork.graph.source);
  fork.graph.harness.tick(fork.reader);
  fork.graph.harness.tick(fork.writer);  // it alone has the message now
  CHECK(is_full_of(taken(fork.written).get<Tensor>(), 9));
  CHECK(is_full_of(taken(fork.read).get<Tensor>(), 2));
  CHECK(changed == original);
}

TEST_CASE("Outside of a tick the copy is there when the call returns", "[writable]") {
  Fork fork;
  auto& end = fork.graph.harness.add<DoubleBufferReceiver>("end/in");
  EngineAccess::connect(fork.graph.source_out, end);
  fork.graph.harness.initialize();
  fork.graph.harness.tick(fork.graph.source);
  end.sync();
  const Message kept = end.receive_unfinished();
  REQUIRE(kept.device_work());
  Message own = kept;
  const Tensor& copy = own.make_writable<Tensor>();
  CHECK_FALSE(own.device_work());
  CHECK(copy.pointer() != kept.get<Tensor>().pointer());
  CHECK(is_full_of(copy, 1));
  CHECK(is_full_of(kept.get<Tensor>(), 1));
}

TEST_CASE("Outside of a tick the caller waits for those who read what it changes", "[writable]") {
  Fork fork;
  auto& end = fork.graph.harness.add<DoubleBufferReceiver>("end/in");
  EngineAccess::connect(fork.writer.out.transmitter(), end);
  fork.reader.work = [](Script& self, Streams& /*streams*/) { self.in.receive(); };
  fork.writer.work = [](Script& self, Streams& streams) {
    Message sum = self.new_message();
    Tensor& tensor = self.make(sum);
    Message message = self.in.receive();
    add(message.get<Tensor>().data<std::int32_t>(), tensor.data<std::int32_t>(), kCount, 1, kSlow,
        streams.stream());
    sum.share_part(message, 0);
    self.out.publish(sum);
  };
  fork.graph.harness.initialize();
  fork.graph.harness.tick(fork.graph.source);
  fork.graph.harness.tick(fork.reader);
  fork.graph.harness.tick(fork.writer);
  fork.written.sync();
  fork.written.receive_unfinished();
  end.sync();
  Message message = end.receive_unfinished();
  const DeviceWork reading = message.device_work();
  REQUIRE(reading);
  REQUIRE(message.size() == 2);
  message.make_writable<Tensor>();
  CHECK(reading.stream->is_known_done(reading.number));
}

TEST_CASE("A part of a message that all may change waits for the work of both messages",
          "[writable]") {
  Fork fork;
  fork.graph.source.work = [](Script& self, Streams& streams) {
    Message message = self.new_message();
    Tensor& tensor = self.make(message);
    fill(tensor.data<std::int32_t>(), kCount, 1, kSlow, streams.stream());
    message.share_writable();
    self.out.publish(message);
  };
  fork.reader.work = pass_plus_one;
  const LeasedStream other;
  fork.writer.work = [&](Script& self, Streams& streams) {
    Message message = self.new_message();
    Tensor& tensor = self.make(message);
    other.get().wait_for(streams.event(streams.stream()));  // behind the memory's former users
    fill(tensor.data<std::int32_t>(), kCount, 7, 3 * kSlow, other.get());
    message.set_device_work(other.get().mark());
    message.share_part(self.in.receive(), 0);
    self.out.publish(std::move(message));
  };
  fork.graph.harness.initialize();
  fork.graph.harness.tick(fork.graph.source);
  fork.graph.harness.tick(fork.writer);
  const Message message = taken(fork.written);
  REQUIRE(message.size() == 2);
  const auto part = [&](std::size_t number) -> const Tensor& {
    return *static_cast<const Tensor*>(message.begin()[number].data);
  };
  CHECK(is_full_of(part(0), 7));
  CHECK(is_full_of(part(1), 1));
}

}  // namespace gxr::test
