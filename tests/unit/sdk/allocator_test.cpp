#include "gxr/allocator.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "tests/unit/sdk/harness.hpp"

using namespace gxr;
using Catch::Matchers::ContainsSubstring;
using gxr::harness::code_of;
using gxr::harness::Harness;
using gxr::harness::kSystem;

namespace {

bool aligned(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer) % 64 == 0; }

BlockMemoryPool& add_pool(Harness& harness, std::string_view block_size,
                          std::string_view num_blocks) {
  return harness.add<BlockMemoryPool>(
      "e/pool", {{"storage_type", "2"}, {"block_size", block_size}, {"num_blocks", num_blocks}});
}

}  // namespace

TEST_CASE("The unbounded allocator gives aligned memory of any size", "[allocator]") {
  Harness harness;
  auto& allocator = harness.add<UnboundedAllocator>("e/allocator");
  harness.initialize();

  for (const std::size_t size : {0U, 1U, 63U, 64U, 65U, 1'000'003U}) {
    void* memory = allocator.allocate(size, kSystem);
    REQUIRE(memory != nullptr);
    CHECK(aligned(memory));
    std::memset(memory, 0x5a, size);
    allocator.free(memory);
  }
  CHECK(allocator.is_available(1U << 30U));
  CHECK(allocator.block_size() == 1);
}

TEST_CASE("The unbounded allocator refuses what it did not give", "[allocator]") {
  Harness harness;
  auto& allocator = harness.add<UnboundedAllocator>("e/allocator");
  harness.initialize();

  int foreign = 0;
  CHECK(code_of([&] { allocator.free(&foreign); }) == ErrorCode::InvalidArgument);
  void* memory = allocator.allocate(8, kSystem);
  allocator.free(memory);
  CHECK(code_of([&] { allocator.free(memory); }) == ErrorCode::InvalidArgument);
  CHECK_NOTHROW(allocator.free(nullptr));
}

TEST_CASE("Memory that does not exist is an error, not a crash", "[allocator]") {
  Harness harness;
  auto& allocator = harness.add<UnboundedAllocator>("e/allocator");
  harness.initialize();
  // One below the size at which the rounding to the alignment overflows.
  CHECK(code_of([&] { allocator.allocate(SIZE_MAX, kSystem); }) == ErrorCode::OutOfMemory);
}

TEST_CASE("Host and device memory need a GPU", "[allocator]") {
  Harness harness;
  auto& allocator = harness.add<UnboundedAllocator>("e/allocator");
  harness.initialize();
  for (const auto storage : {MemoryStorageType::Host, MemoryStorageType::Device}) {
    CHECK(code_of([&] { allocator.allocate(8, storage); }) == ErrorCode::NotSupported);
    CHECK_THROWS_WITH(allocator.allocate(8, storage),
                      ContainsSubstring("'e/allocator' was asked for " +
                                        std::string(to_string(storage)) + " memory") &&
                          ContainsSubstring("without a GPU"));
  }
  CHECK(code_of([&] { allocator.allocate(8, static_cast<MemoryStorageType>(7)); }) ==
        ErrorCode::InvalidArgument);
}

TEST_CASE("A pool gives each of its blocks once, the last returned first", "[allocator]") {
  Harness harness;
  auto& pool = add_pool(harness, "100", "3");
  harness.initialize();

  std::set<void*> blocks;
  for (int i = 0; i < 3; ++i) {
    CHECK(pool.is_available(100));
    void* block = pool.allocate(100, kSystem);
    CHECK(aligned(block));
    std::memset(block, i, 100);
    blocks.insert(block);
  }
  CHECK(blocks.size() == 3);
  CHECK_FALSE(pool.is_available(1));
  CHECK(pool.block_size() == 100);

  void* returned = *blocks.begin();
  pool.free(returned);
  CHECK(pool.is_available(100));
  CHECK(pool.allocate(1, kSystem) == returned);
  for (void* block : blocks) {
    pool.free(block);
  }
}

TEST_CASE("An exhausted pool says what to change", "[allocator]") {
  Harness harness;
  auto& pool = add_pool(harness, "100", "2");
  harness.initialize();

  void* first = pool.allocate(1, kSystem);
  void* second = pool.allocate(1, kSystem);
  CHECK(code_of([&] { pool.allocate(1, kSystem); }) == ErrorCode::OutOfMemory);
  CHECK_THROWS_WITH(pool.allocate(1, kSystem),
                    ContainsSubstring("'e/pool': each of its 2 blocks of 100 bytes is in use") &&
                        ContainsSubstring("raise num_blocks"));
  pool.free(first);
  pool.free(second);
}

TEST_CASE("A request larger than a block says what to change", "[allocator]") {
  Harness harness;
  auto& pool = add_pool(harness, "100", "2");
  harness.initialize();

  void* block = pool.allocate(100, kSystem);
  CHECK_FALSE(pool.is_available(101));
  CHECK(code_of([&] { pool.allocate(101, kSystem); }) == ErrorCode::InvalidArgument);
  CHECK_THROWS_WITH(pool.allocate(101, kSystem),
                    ContainsSubstring("101 bytes do not fit into a block of 100") &&
                        ContainsSubstring("block_size to 101") &&
                        ContainsSubstring("num_blocks is 2, 1 in use"));
  pool.free(block);
}

TEST_CASE("A pool refuses what is not one of its blocks in use", "[allocator]") {
  Harness harness;
  auto& pool = add_pool(harness, "100", "2");
  harness.initialize();

  auto* block = static_cast<std::byte*>(pool.allocate(100, kSystem));
  int foreign = 0;
  CHECK(code_of([&] { pool.free(&foreign); }) == ErrorCode::InvalidArgument);
  CHECK(code_of([&] { pool.free(block + 1); }) == ErrorCode::InvalidArgument);
  CHECK(code_of([&] { pool.free(block + 128); }) == ErrorCode::InvalidArgument);  // never given
  pool.free(block);
  CHECK(code_of([&] { pool.free(block); }) == ErrorCode::InvalidArgument);
  CHECK_NOTHROW(pool.free(nullptr));
}

TEST_CASE("A pool is used between initialize and deinitialize", "[allocator]") {
  Harness harness;
  auto& pool = add_pool(harness, "100", "2");
  CHECK_FALSE(pool.is_available(1));
  CHECK(code_of([&] { pool.allocate(1, kSystem); }) == ErrorCode::InvalidState);
  harness.initialize();
  harness.deinitialize();
  CHECK_FALSE(pool.is_available(1));
  CHECK(code_of([&] { pool.allocate(1, kSystem); }) == ErrorCode::InvalidState);
}

TEST_CASE("Blocks in use survive deinitialize until they come back", "[allocator]") {
  Harness harness;
  auto& pool = add_pool(harness, "100", "3");
  harness.initialize();
  auto* first = static_cast<char*>(pool.allocate(100, kSystem));
  auto* second = static_cast<char*>(pool.allocate(100, kSystem));
  std::memset(first, 'a', 100);

  harness.deinitialize();
  REQUIRE(harness.logged().size() == 1);
  CHECK(harness.logged()[0].level == LogLevel::Warn);
  CHECK_THAT(harness.logged()[0].text, ContainsSubstring("2 of 3 blocks are still in use"));
  pool.free(second);
  CHECK(std::count(first, first + 100, 'a') == 100);
  pool.free(first);
}

TEST_CASE("A pool whose blocks are back can be initialized again", "[allocator]") {
  Harness harness;
  auto& pool = add_pool(harness, "100", "1");
  harness.initialize();
  void* block = pool.allocate(1, kSystem);
  harness.deinitialize();
  CHECK(code_of([&] { pool.initialize(); }) == ErrorCode::InvalidState);
  pool.free(block);
  harness.initialize();
  pool.free(pool.allocate(1, kSystem));
}

TEST_CASE("Pools of host and device memory say what is missing", "[allocator]") {
  Harness harness;
  auto& host = harness.add<BlockMemoryPool>("e/host", {{"block_size", "1"}, {"num_blocks", "1"}});
  auto& device = harness.add<BlockMemoryPool>(
      "e/device", {{"storage_type", "1"}, {"block_size", "1"}, {"num_blocks", "1"}});
  CHECK(code_of([&] { host.initialize(); }) == ErrorCode::NotSupported);
  CHECK_THROWS_WITH(host.initialize(), ContainsSubstring("'storage_type': 0 (host memory)") &&
                                           ContainsSubstring("needs a GPU") &&
                                           ContainsSubstring("`storage_type: 2`"));
  CHECK_THROWS_WITH(device.initialize(), ContainsSubstring("'storage_type': 1 (device memory)"));
}

TEST_CASE("Sizes of a pool that overflow are refused", "[allocator]") {
  const std::pair<const char*, const char*> sizes[] = {
      {"18446744073709551615", "1"},
      {"18446744073709551615", "18446744073709551615"},
      {"4294967296", "4294967296"},
      {"1", "18446744073709551615"},
  };
  for (const auto& [block_size, num_blocks] : sizes) {
    CAPTURE(block_size, num_blocks);
    Harness harness;
    auto& pool = add_pool(harness, block_size, num_blocks);
    CHECK(code_of([&] { pool.initialize(); }) == ErrorCode::InvalidParameter);
  }
}

TEST_CASE("Threads share a pool", "[allocator]") {
  Harness harness;
  auto& pool = add_pool(harness, "64", "8");
  harness.initialize();

  const auto work = [&pool](char mark) {
    for (int i = 0; i < 5'000; ++i) {
      auto* a = static_cast<char*>(pool.allocate(64, kSystem));
      auto* b = static_cast<char*>(pool.allocate(64, kSystem));
      std::memset(a, mark, 64);
      std::memset(b, mark, 64);
      if (std::count(a, a + 64, mark) != 64 || std::count(b, b + 64, mark) != 64) {
        throw std::runtime_error("a block was given twice");
      }
      pool.free(a);
      pool.free(b);
    }
  };
  std::vector<std::thread> threads;
  for (const char mark : {'a', 'b', 'c', 'd'}) {
    threads.emplace_back(work, mark);
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  CHECK(pool.is_available(64));
}
