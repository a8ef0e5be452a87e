#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "gxr/cuda/ring.hpp"

namespace gxr::cuda {

/// Where a frame has the number by which its sender counts frames. A number of few bytes begins
/// anew at 0 when it is used up.
struct FrameNumber {
  std::uint32_t offset = 0;  ///< bytes in front of it
  std::uint32_t bytes = 0;   ///< 2, 4 or 8; 0: frames have no number
  bool big_endian = false;   ///< most significant byte first, as network protocols have it

  /// The number of a frame, which must have offset + bytes bytes.
  [[nodiscard]] GXR_RING_CALL std::uint64_t read(const std::byte* frame) const noexcept {
    std::uint64_t number = 0;
    for (std::uint32_t i = 0; i < bytes; ++i) {
      number = number << 8U | static_cast<std::uint64_t>(frame[offset + place(i)]);
    }
    return number;
  }
  /// Writes as many bytes of `number` as there is place for.
  GXR_RING_CALL void write(std::byte* frame, std::uint64_t number) const noexcept {
    for (std::uint32_t i = bytes; i-- > 0;) {
      frame[offset + place(i)] = static_cast<std::byte>(number & 0xffU);
      number >>= 8U;
    }
  }

 private:
  // Of the i-th byte, most significant first.
  [[nodiscard]] GXR_RING_CALL std::uint32_t place(std::uint32_t i) const noexcept {
    return big_endian ? i : bytes - 1 - i;
  }
};

/// Frames of a sender, by what became of them.
struct FrameCounts {
  std::uint64_t received = 0;   ///< all that came, also those below
  std::uint64_t lost = 0;       ///< numbers that have not come
  std::uint64_t late = 0;       ///< came after one with a higher number
  std::uint64_t repeated = 0;   ///< came once more
  std::uint64_t malformed = 0;  ///< have another length than all frames should; no number is read
  std::uint64_t restarts = 0;   ///< how often the sender began to count anew
};

/// Finds out from the numbers of frames which of them were lost, came late or came twice, with a
/// window of the last 64 numbers. A frame that is late within the window is not lost any more.
/// A frame from before the window is late, too; when its successor follows it, the sender has begun
/// anew, as in RFC 3550, A.1. A sender that begins anew within its first 64 numbers is known only
/// behind them. Trivially copyable: a kernel keeps one in device memory.
class FrameOrder {
 public:
  /// The place of a frame in the order.
  enum class Verdict : std::uint8_t { InOrder, Late, Repeated };

  FrameOrder() = default;
  /// For frames with numbers of so many bytes, see FrameNumber.
  GXR_RING_CALL explicit FrameOrder(std::uint32_t number_bytes) noexcept
      : unused_bits_(number_bytes == 0 ? 0 : 64 - 8 * number_bytes) {}

  /// The next frame has this number. Counts everything but `malformed`.
  GXR_RING_CALL Verdict see(std::uint64_t number) noexcept {
    ++counts.received;
    if (!started_) {
      begin(number);
      return Verdict::InOrder;
    }
    const std::int64_t step = distance(number);
    if (step > 0) {
      counts.lost += static_cast<std::uint64_t>(step) - 1;
      go_on(static_cast<std::uint64_t>(step));
      return Verdict::InOrder;
    }
    return look_back(number, 0 - static_cast<std::uint64_t>(step));
  }
  /// The next frame has no number that could be read.
  GXR_RING_CALL void see_malformed() noexcept {
    ++counts.received;
    ++counts.malformed;
  }
  /// The next frame has no number.
  GXR_RING_CALL void see_unnumbered() noexcept { ++counts.received; }

  FrameCounts counts;  ///< of all frames so far

 private:
  static constexpr std::uint64_t kWindow = 64;

  // From the highest number to `number`, by the shorter way around.
  [[nodiscard]] GXR_RING_CALL std::int64_t distance(std::uint64_t number) const noexcept {
    const std::uint64_t step = (number - highest_) << unused_bits_;
    return static_cast<std::int64_t>(step) >> unused_bits_;
  }
  GXR_RING_CALL void begin(std::uint64_t number) noexcept {
    started_ = true;
    suspected_ = false;
    highest_ = number;
    seen_ = 1;
    age_ = 0;
  }
  GXR_RING_CALL void go_on(std::uint64_t step) noexcept {
    highest_ += step;
    seen_ = step < kWindow ? seen_ << step | 1U : 1U;
    age_ = step < kWindow - age_ ? age_ + step : kWindow;
    suspected_ = false;
  }
  GXR_RING_CALL Verdict look_back(std::uint64_t number, std::uint64_t back) noexcept {
    if (back < kWindow) {
      const std::uint64_t bit = std::uint64_t{1} << back;
      if ((seen_ & bit) != 0) {
        ++counts.repeated;
        return Verdict::Repeated;
      }
      seen_ |= bit;
      ++counts.late;
      if (back <= age_) {  // else from before the first: it was never said to be lost
        --counts.lost;
      }
      return Verdict::Late;
    }
    if (suspected_ && ((number - suspect_ - 1) << unused_bits_) == 0) {
      ++counts.restarts;
      begin(number);
      return Verdict::InOrder;
    }
    suspected_ = true;
    suspect_ = number;
    ++counts.late;
    return Verdict::Late;
  }

  std::uint32_t unused_bits_ = 0;
  bool started_ = false;
  bool suspected_ = false;     // suspect_ is from before the window
  std::uint64_t highest_ = 0;  // of all numbers, beyond the bits that frames have
  std::uint64_t seen_ = 0;     // bit n: highest_ - n has come
  std::uint64_t age_ = 0;      // numbers since the first, up to kWindow
  std::uint64_t suspect_ = 0;
};
static_assert(std::is_trivially_copyable_v<FrameOrder>);

}  // namespace gxr::cuda
