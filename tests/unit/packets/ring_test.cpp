#include "gxr/cuda/ring.hpp"

#include <cstring>
#include <string>
#include <thread>

#include "catch.hpp"
#include "memory.hpp"

namespace gxr::test {

using cuda::RingFrame;
using cuda::RingReader;
using cuda::RingView;
using cuda::RingWriter;

TEST_CASE("a ring gives frames in order, and room when they were taken") {
  RingInMemory memory(4, 8);
  RingWriter writer(memory.ring());
  RingReader reader(memory.ring());
  CHECK_FALSE(reader.peek());
  for (std::uint64_t i = 0; i < 4; ++i) {
    CHECK(writer.write(&i, sizeof i, static_cast<std::int64_t>(100 + i)));
  }
  CHECK(writer.room() == 0);
  for (std::uint64_t i = 0; i < 4; ++i) {
    const RingFrame frame = reader.peek();
    REQUIRE(frame);
    CHECK(reader.peek().data == frame.data);  // until it is taken
    CHECK(std::memcmp(frame.data, &i, sizeof i) == 0);
    CHECK(frame.length == 8);
    CHECK(frame.arrival_ns == static_cast<std::int64_t>(100 + i));
    reader.take();
    CHECK(writer.room(4) == i + 1);
  }
  CHECK_FALSE(reader.peek());
}

TEST_CASE("a frame without room is counted and overwrites nothing") {
  RingInMemory memory(2, 8);
  RingWriter writer(memory.ring());
  for (std::uint64_t i = 0; i < 5; ++i) {
    CHECK(writer.write(&i, sizeof i, 0) == (i < 2));
  }
  CHECK(memory.ring().header->dropped == 3);
  CHECK(memory.ring().header->written == 2);
  RingReader reader(memory.ring());
  const std::uint64_t first = 0;
  CHECK(std::memcmp(reader.peek().data, &first, sizeof first) == 0);
}

TEST_CASE("void slots are given back") {
  RingInMemory memory(4, 8);
  RingWriter writer(memory.ring());
  RingReader reader(memory.ring());
  writer.publish_void();
  writer.publish_void();
  CHECK(reader.has_more());
  CHECK(reader.look(1).is_void);
  CHECK_FALSE(reader.peek());
  CHECK(writer.room(4) == 4);
  CHECK(writer.write("abc", 3, 0));
  writer.publish_void();
  CHECK(reader.peek().length == 3);
  reader.take();
  CHECK_FALSE(reader.peek());
}

TEST_CASE("a ring ends behind its last frame") {
  RingInMemory memory(4, 8);
  RingWriter writer(memory.ring());
  RingReader reader(memory.ring());
  writer.write("a", 1, 0);
  writer.end();
  CHECK_FALSE(reader.has_ended());
  reader.take();
  CHECK(reader.has_ended());
}

TEST_CASE("a writer and a reader go on where others stopped") {
  RingInMemory memory(4, 8);
  RingWriter(memory.ring()).write("a", 1, 0);
  RingWriter(memory.ring()).write("b", 1, 0);
  RingReader(memory.ring()).take();
  CHECK(*reinterpret_cast<const char*>(RingReader(memory.ring()).peek().data) == 'b');
}

TEST_CASE("a length beyond the slot is cut off") {
  RingInMemory memory(2, 8);
  RingWriter(memory.ring()).publish(1000, 0);
  CHECK(RingReader(memory.ring()).peek().length == 8);
}

TEST_CASE("a word of the reader that cannot be leaves no room") {
  RingInMemory memory(2, 8);
  memory.ring().header->taken = 5;
  RingWriter writer(memory.ring());
  CHECK(writer.room() == 0);
}

TEST_CASE("what is no ring is refused") {
  RingInMemory memory(4, 100);
  RingView ring;
  CHECK(cuda::open_ring(memory.memory(), memory.bytes(), ring) == nullptr);
  CHECK(ring.slots == 4);
  CHECK(ring.frame_bytes == 100);
  CHECK(ring.slot_bytes == 256);
  const auto reason = [&](std::uint64_t bytes) {
    const char* const found = cuda::open_ring(memory.memory(), bytes, ring);
    return std::string(found == nullptr ? "" : found);
  };
  CHECK(reason(100) == "it is too small for the header of a ring");
  CHECK(reason(memory.bytes() - 1) == "it is smaller than its header says");
  cuda::RingHeader& header = *memory.ring().header;
  header.slots = 3;
  CHECK(reason(memory.bytes()) == "its header contradicts itself");
  header.slots = 1U << 30U;
  CHECK(reason(memory.bytes()) == "its header contradicts itself");
  header.slots = 4;
  header.frame_bytes = 300;
  CHECK(reason(memory.bytes()) == "its header contradicts itself");
  header.version = 2;
  CHECK(reason(memory.bytes()) == "it is a ring of another version");
  header.magic = 0;
  CHECK(reason(memory.bytes()) == "it is no ring of packets");
}

TEST_CASE("the layout is the documented one") {
  RingInMemory memory(2, 65);
  const RingView& ring = memory.ring();
  CHECK(std::memcmp(memory.memory(), "GXRRING1", 8) == 0);
  const auto* const begin = static_cast<const std::byte*>(memory.memory());
  const auto at = [&](const void* word) { return static_cast<const std::byte*>(word) - begin; };
  CHECK(at(&ring.header->written) == 128);
  CHECK(at(&ring.header->dropped) == 136);
  CHECK(at(&ring.header->ended) == 144);
  CHECK(at(&ring.header->taken) == 256);
  CHECK(at(&ring.slot(0)) == 384);
  CHECK(at(ring.payload(0)) == 448);
  CHECK(at(&ring.slot(1)) == 640);
  CHECK(at(&ring.slot(2)) == 384);
  CHECK(at(&ring.slot(0).length) == 400);
}

TEST_CASE("a thread writes while another one reads, and no frame is torn") {
  constexpr std::uint64_t kFrames = 100'000;
  constexpr std::uint64_t kWords = 9;
  RingInMemory memory(8, kWords * sizeof(std::uint64_t));
  std::thread writing([&] {
    RingWriter writer(memory.ring());
    for (std::uint64_t i = 0; i < kFrames;) {
      if (writer.room() == 0) {
        std::this_thread::yield();
        continue;
      }
      std::uint64_t words[kWords];
      for (std::uint64_t& word : words) {
        word = i;
      }
      writer.write(words, sizeof words, static_cast<std::int64_t>(i));
      ++i;
    }
    writer.end();
  });
  RingReader reader(memory.ring());
  std::uint64_t wrong = 0;
  std::uint64_t next = 0;
  while (!reader.has_ended()) {
    const RingFrame frame = reader.peek();
    if (!frame) {
      std::this_thread::yield();
      continue;
    }
    std::uint64_t words[kWords];
    std::memcpy(words, frame.data, sizeof words);
    for (const std::uint64_t word : words) {
      wrong += word == next && frame.arrival_ns == static_cast<std::int64_t>(next) ? 0 : 1;
    }
    ++next;
    reader.take();
  }
  writing.join();
  CHECK(wrong == 0);
  CHECK(next == kFrames);
  CHECK(memory.ring().header->dropped == 0);
}

}  // namespace gxr::test
