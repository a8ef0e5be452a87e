#include "dds/cdr_writer.hpp"

#include <algorithm>
#include <utility>

#include "gxr/error.hpp"

namespace gxr::dds {
namespace {

/// Smaller ones are copied at once.
constexpr std::size_t kLargeBlock = 4096;

}  // namespace

void CdrWriter::grow(std::size_t size) {
  const std::size_t capacity = std::max(2 * capacity_, used_ + size);
  auto larger = std::make_unique_for_overwrite<std::byte[]>(capacity);
  std::memcpy(larger.get(), small_.get(), used_);
  small_ = std::move(larger);
  capacity_ = capacity;
}

void CdrWriter::text(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) {
    throw Error(ErrorCode::InvalidData, "a text with a 0 in it cannot be sent");
  }
  number(static_cast<std::uint32_t>(text.size() + 1));
  append(text.data(), text.size());
  const char end = 0;
  append(&end, 1);
}

void CdrWriter::length(std::uint64_t count) {
  if (count > SampleBytes::kMostBytes) {
    throw Error(ErrorCode::InvalidData, "a list of " + std::to_string(count) +
                                            " elements cannot be sent: a sample has fewer than 4 "
                                            "GiB");
  }
  number(static_cast<std::uint32_t>(count));
}

void CdrWriter::block(const void* numbers, std::size_t size, std::size_t count) {
  if (count > 0) {
    align(size);
    rows(numbers, size * count, 1, 0);
  }
}

void CdrWriter::rows(const void* first, std::size_t bytes, std::size_t rows, std::size_t stride) {
  if (rows > 1 && stride == bytes) {
    bytes *= std::exchange(rows, 1);
  }
  if (bytes * rows < kLargeBlock) {
    for (std::size_t i = 0; i < rows; ++i) {
      append(static_cast<const std::byte*>(first) + i * stride, bytes);
    }
    return;
  }
  pieces_.push_back({std::exchange(own_, 0), first, bytes, rows, stride});
  position_ += bytes * rows;
}

SharedBytes CdrWriter::finish() const {
  if (position_ > SampleBytes::kMostBytes) {
    throw Error(ErrorCode::InvalidData, "a message of " + std::to_string(position_) +
                                            " bytes cannot be sent: a sample has fewer than 4 GiB");
  }
  auto sample = std::make_shared<SampleBytes>(position_);
  std::byte* to = sample->body();
  const std::byte* own = small_.get();
  const auto copy = [&to](const std::byte* from, std::size_t size) {
    if (size > 0) {
      std::memcpy(to, from, size);
      to += size;
    }
  };
  for (const Piece& piece : pieces_) {
    copy(own, piece.own);
    own += piece.own;
    for (std::size_t row = 0; row < piece.rows; ++row) {
      copy(static_cast<const std::byte*>(piece.first) + row * piece.stride, piece.bytes);
    }
  }
  copy(own, own_);
  return sample;
}

}  // namespace gxr::dds
