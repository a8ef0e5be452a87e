#include "packets/shared_memory.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "catch.hpp"
#include "gxr/error.hpp"

namespace gxr::test {

using cuda::RingMemory;

namespace {

std::string own_name(const std::string& end) {
  return "gxr-test-" + std::to_string(::getpid()) + "-" + end;
}

bool exists(const std::string& name) { return ::access(("/dev/shm/" + name).c_str(), F_OK) == 0; }

std::string refusal(const std::string& name, std::uint32_t slots, std::uint32_t frame_bytes) {
  try {
    const RingMemory memory(name, slots, frame_bytes);
  } catch (const Error& error) {
    return error.message();
  }
  return {};
}

/// A file of shared memory that gxr did not make.
class Foreign {
 public:
  Foreign(const std::string& name, const std::string& content) : name_("/" + name) {
    const OpenFile file(::shm_open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR));
    REQUIRE(static_cast<bool>(file));
    REQUIRE(::write(file.descriptor(), content.data(), content.size()) ==
            static_cast<ssize_t>(content.size()));
  }
  Foreign(const Foreign&) = delete;
  Foreign& operator=(const Foreign&) = delete;
  ~Foreign() { ::shm_unlink(name_.c_str()); }

 private:
  std::string name_;
};

}  // namespace

TEST_CASE("a large ring of one process begins with a huge page, and is empty") {
  constexpr std::uintptr_t kHugePage = 2U << 20U;
  const RingMemory memory("", 512, 8192);
  const cuda::RingView& ring = memory.ring();
  CHECK(reinterpret_cast<std::uintptr_t>(ring.header) % kHugePage == 0);
  cuda::RingWriter writer(ring);
  for (std::uint32_t i = 0; i < ring.slots; ++i) {
    CHECK(ring.slot(i).sequence == 0);
    std::memset(writer.payload(i), 1, ring.frame_bytes);
  }
  CHECK(writer.room(ring.slots) == ring.slots);
}

TEST_CASE("two see the same ring, and the last one removes it") {
  const std::string name = own_name("two");
  std::optional<RingMemory> first(std::in_place, name, 4U, 64U);
  std::optional<RingMemory> second(std::in_place, name, 4U, 64U);
  CHECK(first->ring().header != second->ring().header);
  cuda::RingWriter writer(first->ring());
  writer.write("abc", 3, 7);
  cuda::RingReader reader(second->ring());
  CHECK(reader.peek().length == 3);
  CHECK(reader.peek().arrival_ns == 7);
  first.reset();
  CHECK(exists(name));
  CHECK(reader.peek().length == 3);
  second.reset();
  CHECK_FALSE(exists(name));
}

TEST_CASE("what a killed process left is made anew") {
  const std::string name = own_name("left");
  {
    const RingMemory memory(name, 8, 100);
    cuda::RingWriter(memory.ring()).write("abc", 3, 7);
    REQUIRE(::link(("/dev/shm/" + name).c_str(), ("/dev/shm/" + name + "-2").c_str()) == 0);
  }
  REQUIRE_FALSE(exists(name));
  {
    const RingMemory memory(name + "-2", 4, 64);  // another size, and nobody uses it
    CHECK(memory.ring().slots == 4);
    CHECK_FALSE(cuda::RingReader(memory.ring()).has_more());
  }
  CHECK_FALSE(exists(name + "-2"));
}

TEST_CASE("a ring of another size is refused while somebody uses it") {
  const std::string name = own_name("size");
  const RingMemory memory(name, 4, 64);
  CHECK(refusal(name, 8, 64) == "shared memory '" + name +
                                    "': its ring has 4 slots for frames of 64 bytes, not 8 for 64; "
                                    "both sides need the same 'slots' and 'frame_bytes'");
  CHECK(refusal(name, 4, 64).empty());
}

TEST_CASE("memory of others is refused and stays as it is") {
  const std::string name = own_name("foreign");
  const Foreign foreign(name, "not a ring, but 16 bytes or more");
  CHECK(refusal(name, 4, 64) == "shared memory '" + name +
                                    "': it is no ring of packets; choose another 'name', or "
                                    "remove /dev/shm/" +
                                    name);
  CHECK(exists(name));
}

TEST_CASE("names that shared memory cannot have are refused") {
  for (const std::string& name :
       std::vector<std::string>{"a/b", "../a", "a b", ".", std::string(300, 'a')}) {
    CHECK(refusal(name, 4, 64).find("'name' has 1 to 250 letters") == 0);
  }
}

TEST_CASE("a ring without a name is one of its own") {
  const RingMemory first("", 4, 64);
  const RingMemory second("", 4, 64);
  cuda::RingWriter(first.ring()).write("abc", 3, 7);
  CHECK_FALSE(cuda::RingReader(second.ring()).has_more());
  CHECK_FALSE(first.is_shared());
}

}  // namespace gxr::test
