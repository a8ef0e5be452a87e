#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "dds/sample_memory.hpp"

namespace gxr::dds {

/// The bytes of one sample as they are sent: four that name the encoding, and the body in CDR,
/// which begins at a multiple of 64 in memory. So what a body holds at such an offset can be used
/// where it is.
class SampleBytes {
 public:
  static constexpr std::size_t kAlignment = kSampleAlignment;
  static constexpr std::size_t kHeaderSize = 4;
  /// Bytes of a body; the protocol counts with 32 bits.
  static constexpr std::size_t kMostBytes = 0xfffffff0u;

  /// Content undefined, but for the header: CDR in the byte order of this machine.
  explicit SampleBytes(std::size_t size)
      : size_(size), memory_(take_memory(kAlignment + size + kTail)) {
    std::byte* const header = wire();
    header[0] = header[2] = header[3] = std::byte{0};
    header[1] = kNativeEncoding;
    for (std::size_t i = 0; i < kTail; ++i) {
      body()[size + i] = std::byte{0};
    }
  }
  SampleBytes(const SampleBytes&) = delete;
  SampleBytes& operator=(const SampleBytes&) = delete;
  ~SampleBytes() { give_memory_back(memory_, kAlignment + size_ + kTail); }

  [[nodiscard]] std::byte* body() noexcept { return memory_ + kAlignment; }
  [[nodiscard]] const std::byte* body() const noexcept { return memory_ + kAlignment; }
  /// Bytes of the body.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// The header, and the body behind it. Up to three bytes behind that may be read, too: a sample
  /// is sent in whole words.
  [[nodiscard]] std::byte* wire() noexcept { return memory_ + kAlignment - kHeaderSize; }
  [[nodiscard]] const std::byte* wire() const noexcept {
    return memory_ + kAlignment - kHeaderSize;
  }
  [[nodiscard]] std::size_t wire_size() const noexcept { return size_ + kHeaderSize; }

 private:
  static constexpr std::size_t kTail = 4;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  static constexpr std::byte kNativeEncoding{1};
#else
  static constexpr std::byte kNativeEncoding{0};
#endif

  std::size_t size_;
  std::byte* memory_;
};

using SharedBytes = std::shared_ptr<SampleBytes>;

/// The bytes for one who lets others change them: themselves when nobody else has them, else a
/// copy.
[[nodiscard]] inline SharedBytes take_bytes(SharedBytes bytes) {
  if (bytes.use_count() == 1) {
    std::atomic_thread_fence(std::memory_order_acquire);  // others may have read them until now
    return bytes;
  }
  auto copy = std::make_shared<SampleBytes>(bytes->size());
  std::memcpy(copy->wire(), bytes->wire(), bytes->wire_size());
  return copy;
}

}  // namespace gxr::dds
