#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dds/sample_bytes.hpp"

namespace gxr::dds {

/// Writes a body in CDR (XCDR version 1), in the byte order of this machine. Large blocks are
/// copied once, when the body is put together.
class CdrWriter {
 public:
  CdrWriter() : small_(std::make_unique_for_overwrite<std::byte[]>(kUsually)) {}

  template <class T>
  void number(T value) {
    align(sizeof(T));
    append(&value, sizeof(T));
  }
  /// Throws Error(InvalidData) for texts with a 0 in them.
  void text(std::string_view text);
  /// Numbers of `size` bytes each, without a length. They must stay until finish().
  void block(const void* numbers, std::size_t size, std::size_t count);
  /// As they are, copied at once.
  void bytes(const void* bytes, std::size_t size) { append(bytes, size); }
  /// Of a sequence. Throws Error(InvalidData) when it is more than a sample can have.
  void length(std::uint64_t count);
  /// Zeros up to a multiple of `alignment`, a power of two.
  void align(std::size_t alignment) {
    if (const std::size_t gap = -position_ & (alignment - 1); gap > 0) {
      std::memset(more(gap), 0, gap);
    }
  }
  /// `rows` of `bytes` each, `stride` bytes from one to the next; see block().
  void rows(const void* first, std::size_t bytes, std::size_t rows, std::size_t stride);

  /// Bytes so far.
  [[nodiscard]] std::size_t position() const noexcept { return position_; }
  /// Throws Error(InvalidData) when it is more than a sample can be.
  [[nodiscard]] SharedBytes finish() const;

 private:
  /// `own` bytes of small_, then rows of others.
  struct Piece {
    std::size_t own = 0;
    const void* first = nullptr;
    std::size_t bytes = 0;
    std::size_t rows = 0;
    std::size_t stride = 0;
  };

  /// Bytes, besides large blocks, of most samples.
  static constexpr std::size_t kUsually = 512;

  void append(const void* bytes, std::size_t size) {
    if (size > 0) {
      std::memcpy(more(size), bytes, size);
    }
  }
  /// Where the next bytes of small_ go.
  std::byte* more(std::size_t size) {
    if (size > capacity_ - used_) {
      grow(size);
    }
    std::byte* const first = small_.get() + used_;
    used_ += size;
    own_ += size;
    position_ += size;
    return first;
  }
  void grow(std::size_t size);

  std::unique_ptr<std::byte[]> small_;
  std::size_t capacity_ = kUsually;
  std::size_t used_ = 0;
  std::vector<Piece> pieces_;
  std::size_t own_ = 0;  // bytes of small_ that no piece has
  std::size_t position_ = 0;
};

}  // namespace gxr::dds
