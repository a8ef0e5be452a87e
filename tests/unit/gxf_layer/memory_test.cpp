#include <type_traits>
#include <utility>

#include "allocators.hpp"
#include "catch.hpp"
#include "gxf/std/eos.hpp"
#include "gxf/std/gems/utils/storage_size.hpp"
#include "gxf/std/gems/utils/time.hpp"
#include "gxf/std/memory_buffer.hpp"
#include "gxf/std/timestamp.hpp"
#include "gxr/message_data.hpp"
#include "log_lines.hpp"

namespace nvidia::gxf::memory_test {

using layer_test::handle_of;
using layer_test::NativeHeap;
using layer_test::SourceHeap;

static_assert(!std::is_copy_constructible_v<MemoryBuffer> &&
              std::has_virtual_destructor_v<MemoryBuffer>);
static_assert(static_cast<int>(MemoryStorageType::kHost) == 0 &&
              static_cast<int>(MemoryStorageType::kDevice) == 1 &&
              static_cast<int>(MemoryStorageType::kSystem) == 2 &&
              static_cast<int>(MemoryStorageType::kCudaManaged) == 3);

namespace {

constexpr auto kSystem = MemoryStorageType::kSystem;

/// A release function that counts its calls.
MemoryBuffer::release_function_t counting(int& calls) {
  return [&calls](void*) {
    ++calls;
    return Success;
  };
}

}  // namespace

TEST_CASE("A fresh buffer has no memory", "[gxf_layer]") {
  MemoryBuffer buffer;
  CHECK(buffer.pointer() == nullptr);
  CHECK(buffer.size() == 0);
  CHECK(buffer.storage_type() == MemoryStorageType::kHost);
  CHECK(buffer.freeBuffer());
}

TEST_CASE("A buffer gives memory back to an allocator of gxr", "[gxf_layer]") {
  NativeHeap heap;
  NativeAllocator allocator(heap);
  {
    MemoryBuffer buffer;
    REQUIRE(buffer.resize(handle_of(allocator), 64, kSystem));
    CHECK(buffer.size() == 64);
    CHECK(buffer.storage_type() == kSystem);
    buffer.pointer()[63] = 1;
    REQUIRE(buffer.resize(handle_of(allocator), 128, kSystem));
    CHECK(heap.allocated == 2);
    CHECK(heap.freed == 1);
    CHECK(buffer.freeBuffer());
    CHECK(buffer.freeBuffer());
    CHECK(heap.freed == 2);
    REQUIRE(buffer.resize(handle_of(allocator), 1, kSystem));
  }
  CHECK(heap.freed == 3);
}

TEST_CASE("A buffer gives memory back to an allocator of a source", "[gxf_layer]") {
  SourceHeap heap;
  {
    MemoryBuffer buffer;
    REQUIRE(buffer.resize(handle_of(heap), 64, MemoryStorageType::kHost));
    CHECK(heap.last_type == 0);
    CHECK(buffer.storage_type() == MemoryStorageType::kHost);
  }
  CHECK(heap.allocated == 1);
  CHECK(heap.freed == 1);
  heap.limit = 8;
  MemoryBuffer buffer;
  CHECK(buffer.resize(handle_of(heap), 9, kSystem).error() == GXF_EXCEEDING_PREALLOCATED_SIZE);
}

TEST_CASE("Errors of allocators of gxr become codes", "[gxf_layer]") {
  NativeHeap heap;
  heap.limit = 8;
  NativeAllocator allocator(heap);
  MemoryBuffer buffer;
  CHECK(buffer.resize(Handle<Allocator>::Null(), 8, kSystem).error() == GXF_ARGUMENT_NULL);
  CHECK(buffer.resize(handle_of(allocator), 9, kSystem).error() == GXF_OUT_OF_MEMORY);
  CHECK(buffer.resize(handle_of(allocator), 8, MemoryStorageType::kDevice).error() ==
        GXF_OUT_OF_MEMORY);
  CHECK(buffer.resize(handle_of(allocator), 8, MemoryStorageType::kCudaManaged).error() ==
        GXF_ARGUMENT_INVALID);
  heap.block = 16;
  CHECK(buffer.resize(handle_of(allocator), 9, kSystem).error() == GXF_EXCEEDING_PREALLOCATED_SIZE);
  CHECK(buffer.pointer() == nullptr);
  CHECK(buffer.size() == 0);
}

TEST_CASE("The text of an error of gxr is logged", "[gxf_layer]") {
  NativeHeap heap;
  heap.limit = 8;
  NativeAllocator allocator(heap);
  MemoryBuffer buffer;
  const gxr::test::LogLines log;
  CHECK_FALSE(buffer.resize(handle_of(allocator), 9, kSystem));
  CHECK(log.text() == "nothing is left\n");
}

TEST_CASE("Memory of somebody else is released once", "[gxf_layer]") {
  int data[4] = {};
  int other[4] = {};
  int first = 0;
  int second = 0;
  {
    MemoryBuffer buffer;
    REQUIRE(buffer.wrapMemory(data, sizeof data, kSystem, counting(first)));
    CHECK(static_cast<void*>(buffer.pointer()) == data);
    SECTION("with the buffer") {}
    SECTION("in front of other memory") {
      REQUIRE(buffer.wrapMemory(other, sizeof other, kSystem, nullptr));
      CHECK(first == 1);
    }
    SECTION("when it is wanted") {
      CHECK(buffer.freeBuffer());
      CHECK(first == 1);
      CHECK(buffer.pointer() == nullptr);
    }
    SECTION("where the buffer has moved") {
      const MemoryBuffer moved = std::move(buffer);
      CHECK(first == 0);
      // NOLINTNEXTLINE(bugprone-use-after-move)
      CHECK(buffer.pointer() == nullptr);
    }
    SECTION("before another buffer moves in") {
      MemoryBuffer next;
      REQUIRE(next.wrapMemory(other, sizeof other, kSystem, counting(second)));
      buffer = std::move(next);
      CHECK(first == 1);
      CHECK(second == 0);
    }
  }
  CHECK(first == 1);
}

TEST_CASE("The same memory is not released when it is wrapped again", "[gxf_layer]") {
  int data[4] = {};
  int first = 0;
  int second = 0;
  {
    MemoryBuffer buffer;
    REQUIRE(buffer.wrapMemory(data, sizeof data, kSystem, counting(first)));
    REQUIRE(buffer.wrapMemory(data, 8, kSystem, counting(second)));
    CHECK(buffer.size() == 8);
  }
  CHECK(first == 0);
  CHECK(second == 1);
}

TEST_CASE("The error of a release function is answered", "[gxf_layer]") {
  int data = 0;
  MemoryBuffer buffer;
  REQUIRE(buffer.wrapMemory(&data, sizeof data, kSystem,
                            [](void*) -> Expected<void> { return Unexpected{GXF_FAILURE}; }));
  CHECK(buffer.freeBuffer().error() == GXF_FAILURE);
}

TEST_CASE("Timestamps of several clocks are found by clock", "[gxf_layer]") {
  MultiSourceTimestamp timestamps;
  CHECK(timestamps.empty());
  CHECK(timestamps.front().error() == MultiSourceTimestamp::Error::kContainerEmpty);
  CHECK(timestamps.back().error() == MultiSourceTimestamp::Error::kContainerEmpty);
  REQUIRE(timestamps.emplace_back(Timestamp{1, 2}, TimeDomainID::NTP));
  REQUIRE(timestamps.push_back({{3, 4}, PTP}));
  CHECK(getTimestamp(timestamps, PTP).value().acqtime == 4);
  CHECK(getTimestamp(timestamps, NTP).value().pubtime == 1);
  CHECK(getTimestamp(timestamps, TSC).error() == GXF_QUERY_NOT_FOUND);
  REQUIRE(timestamps.emplace_back());
  CHECK(timestamps.full());
  CHECK(timestamps.emplace_back().error() == MultiSourceTimestamp::Error::kContainerFull);
  REQUIRE(timestamps.erase(0));
  CHECK(timestamps.size() == 2);
  CHECK(timestamps.front().value().second == PTP);
  CHECK(timestamps.erase(2).error() == MultiSourceTimestamp::Error::kArgumentOutOfRange);
}

TEST_CASE("Small parts are those of gxr", "[gxf_layer]") {
  gxr::MultiSourceTimestamp moments;
  moments.sources[0] = {{5, 6}, gxr::TimeDomain::Ptp};
  moments.count = 1;
  const auto& seen = *reinterpret_cast<const MultiSourceTimestamp*>(&moments);
  CHECK(getTimestamp(seen, PTP).value().acqtime == 6);

  gxr::EndOfStream native;
  native.stream_id = 7;
  auto& end = *reinterpret_cast<EndOfStream*>(&native);
  CHECK(end.stream_id() == 7);
  EndOfStream moved = std::move(end);
  CHECK(moved.stream_id() == 7);
  CHECK(EndOfStream().stream_id() == -1);
  moved.stream_id(9);
  CHECK(moved.stream_id() == 9);
  static_assert(!std::is_copy_constructible_v<EndOfStream>);
}

TEST_CASE("Times and sizes are read from text", "[gxf_layer]") {
  CHECK(TimeToTimestamp(1.5) == 1'500'000'000);
  CHECK(TimestampToTime(250'000'000) == 0.25);
  const uint64_t before = getCurrentTimeUs();
  CHECK(before <= getCurrentTimeUs());
  const auto period = [](const char* text) { return ParseRecessPeriodString(text, 1); };
  CHECK(period("1000").value() == 1000);
  CHECK(period("1.9").value() == 1);
  CHECK(period("10ms").value() == 10'000'000);
  CHECK(period("10 MS").value() == 10'000'000);
  CHECK(period("2s").value() == 2'000'000'000);
  CHECK(period("50Hz").value() == 20'000'000);
  for (const char* const text : {"", "ms", "-1s", "0", "1us", "1  s", "1min", "infs", "1e300s"}) {
    CAPTURE(text);
    CHECK(period(text).error() == GXF_ARGUMENT_INVALID);
  }
  const auto size = [](const char* text) { return StorageSize::ParseStorageSizeString(text, 1); };
  CHECK(size("2KB").value() == 2048);
  CHECK(size("1 GB").value() == StorageSize::GB);
  CHECK(size("3").value() == 3 * StorageSize::MB);
  CHECK(size("3B").value() == 3 * StorageSize::MB);
  CHECK(size("1.9TB").value() == StorageSize::toBytesFromTB(1));
  for (const char* const text : {"", "MB", "0.5MB", "1mb", "1PB", "-1MB", "1e30TB"}) {
    CAPTURE(text);
    CHECK(size(text).error() == GXF_ARGUMENT_INVALID);
  }
  CHECK(StorageSize::fromBytesToKB(4096) == 4);
}

}  // namespace nvidia::gxf::memory_test
