#pragma once

#include <cstdint>
#include <type_traits>

#include "gxr/cuda/ring.hpp"
#include "packets/frame_format.hpp"

namespace gxr::cuda {

/// A reader's state between two frames, on the CPU or in device memory.
struct Reception {
  RingReader reader;
  FrameOrder order;
  std::uint64_t delivered = 0;
  std::uint64_t number = 0;  ///< of the frame of next(), as the frame has it

  /// The next frame that is to be delivered, of at most `most` that are looked at; all others are
  /// counted and given back. The caller gives it back with finish().
  GXR_RING_CALL RingFrame next(const FrameLayout& layout, bool keep_late, int most) noexcept {
    for (int i = 0; i < most; ++i) {
      const RingFrame frame = reader.peek();
      if (!frame || is_wanted(frame, layout, keep_late)) {
        return frame;
      }
      reader.take();
    }
    return {};
  }
  /// The frame of next() was copied.
  GXR_RING_CALL void finish() noexcept {
    ++delivered;
    reader.take();
  }

 private:
  GXR_RING_CALL bool is_wanted(const RingFrame& frame, const FrameLayout& layout,
                               bool keep_late) noexcept {
    if (frame.length != layout.bytes()) {
      order.see_malformed();
      return false;
    }
    if (layout.number.bytes == 0) {
      number = order.counts.received;
      order.see_unnumbered();
      return true;
    }
    number = layout.number.read(frame.data);
    const FrameOrder::Verdict verdict = order.see(number);
    return verdict == FrameOrder::Verdict::InOrder ||
           (keep_late && verdict == FrameOrder::Verdict::Late);
  }
};
static_assert(std::is_trivially_copyable_v<Reception>);

/// A writer's state between two frames, on the CPU or in device memory.
struct Transmission {
  RingWriter writer;
  std::uint64_t number = 0;   ///< of the next frame
  std::uint64_t sent = 0;     ///< frames that found room
  std::uint64_t dropped = 0;  ///< frames that did not
};
static_assert(std::is_trivially_copyable_v<Transmission>);

}  // namespace gxr::cuda
