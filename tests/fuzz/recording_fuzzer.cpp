// Reads any bytes as an entity of a recording, and aborts where a promise of the reader is broken.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "gxr/error.hpp"
#include "gxr/gxr.hpp"
#include "gxr/multimedia/audio_buffer.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/serialization/entity_serializer.hpp"
#include "recording/entity_layout.hpp"
#include "tests/unit/sdk/harness.hpp"

namespace {

[[noreturn]] void fail(const std::string& promise) {
  std::cerr << "broken: " << promise << std::endl;
  std::abort();
}

void require(bool holds, const std::string& promise) {
  if (!holds) {
    fail(promise);
  }
}

/// Bytes in memory; remembers what was written.
class Bytes final : public gxr::Endpoint {
 public:
  explicit Bytes(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
  void write(const void* data, std::size_t size) override {
    const auto* from = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), from, from + size);
  }
  std::size_t read(void* data, std::size_t size) override {
    const std::size_t take = size < readable() ? size : readable();
    if (take > 0) {
      std::memcpy(data, bytes_.data() + at_, take);
    }
    at_ += take;
    return take;
  }
  [[nodiscard]] std::uint64_t readable() const override { return bytes_.size() - at_; }
  void rewind() noexcept { at_ = 0; }
  /// All that was written, but for the sequence number of its entity.
  [[nodiscard]] std::vector<std::byte> without_sequence() const {
    std::vector<std::byte> rest = bytes_;
    rest.erase(rest.begin() + 12, rest.begin() + 20);
    return rest;
  }

 private:
  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;
};

/// Gives no more than a recording of the input's size can need.
class CountingAllocator final : public gxr::Allocator {
 public:
  void* allocate(std::size_t size, gxr::MemoryStorageType) override {
    require(size <= limit, "no allocation is larger than the entity");
    return std::malloc(size == 0 ? 1 : size);
  }
  void free(void* pointer) override { std::free(pointer); }
  [[nodiscard]] bool is_available(std::size_t) const override { return true; }
  std::size_t limit = 0;
};

/// Touches every byte that a part claims to have.
std::uint64_t touch(const gxr::Message& message) {
  std::uint64_t sum = 0;
  const auto add = [&](const void* data, std::uint64_t size) {
    for (std::uint64_t i = 0; i < size; ++i) {
      sum += static_cast<const unsigned char*>(data)[i];
    }
  };
  for (const gxr::detail::Part& part : message) {
    if (part.id == gxr::TypeIdOf<gxr::Tensor>::value) {
      const auto& tensor = *static_cast<const gxr::Tensor*>(part.data);
      add(tensor.pointer(), tensor.span_bytes());
    } else if (part.id == gxr::TypeIdOf<gxr::VideoBuffer>::value) {
      const auto& video = *static_cast<const gxr::VideoBuffer*>(part.data);
      for (const gxr::ColorPlane& plane : video.info().color_planes) {
        add(static_cast<const std::byte*>(video.pointer()) + plane.offset, plane.size);
      }
    } else if (part.id == gxr::TypeIdOf<gxr::AudioBuffer>::value) {
      const auto& audio = *static_cast<const gxr::AudioBuffer*>(part.data);
      add(audio.pointer(), audio.info().size());
    }
  }
  return sum;
}

struct Reader {
  Reader() { harness.initialize(); }

  gxr::harness::Harness harness;
  CountingAllocator& allocator = harness.add<CountingAllocator>("reader/allocator");
  gxr::StdComponentSerializer& parts =
      harness.add<gxr::StdComponentSerializer>("reader/parts", {{"allocator", "allocator"}});
  gxr::StdEntitySerializer& entities = harness.add<gxr::StdEntitySerializer>(
      "reader/entities", {{"component_serializers", "[parts]"}, {"verbose_warning", "false"}});
};

/// What was read must be read the same after it was written again.
void check_message(Reader& reader, const gxr::Message& message) {
  touch(message);
  Bytes copy({});
  const std::uint64_t written = reader.entities.serialize(message, copy);
  require(written == copy.readable(), "serialize returns what it wrote");
  reader.allocator.limit = written;
  const gxr::Message again = reader.entities.deserialize(copy);
  require(copy.readable() == 0, "an entity that was written is read to its end");
  require(again.size() == message.size(), "no part is lost");
  touch(again);
  Bytes second({});
  reader.entities.serialize(again, second);
  require(second.without_sequence() == copy.without_sequence(), "no data changes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Reader reader;
  reader.allocator.limit = size;
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  Bytes input({bytes, bytes + size});
  try {
    gxr::read_entity_layout(input);
  } catch (const gxr::Error& error) {
    require(error.code() == gxr::ErrorCode::InvalidData, "damage has the code InvalidData");
  }
  input.rewind();
  gxr::Message message;
  try {
    message = reader.entities.deserialize(input);
  } catch (const gxr::Error& error) {
    require(error.code() == gxr::ErrorCode::InvalidData, "damage has the code InvalidData");
    require(!error.message().empty(), "an error has a text");
    return 0;
  }
  check_message(reader, message);
  return 0;
}
