#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#ifdef __CUDACC__
#define GXR_RING_CALL __host__ __device__
#else
#define GXR_RING_CALL
#endif

namespace gxr::cuda {

// A ring of packets in memory that one writer and one reader share: threads, processes, kernels or
// a network card, in any combination. This header needs nothing of gxr but itself, so a program
// that fills a ring includes it alone; CUDA sources may call everything in kernels, too.
//
// The memory is a RingHeader, then `slots` slots of `slot_bytes` bytes, all in the byte order of
// the machine. A slot is a RingSlot, then `frame_bytes` bytes for the frame, at
// kRingPayloadOffset.
//
// Protocol. Frames count from 0. Frame n lies in slot n % slots.
//
//   writer:  1. It loads `taken` (acquire) until n - taken < slots: the slot is free.
//            2. It writes payload, length, flags and arrival time of the slot.
//            3. It stores n + 1 to the slot's `sequence` (release), then to `written` (relaxed).
//   reader:  1. It loads the slot's `sequence` (acquire) until that is n + 1: the frame is there.
//            2. It reads the slot.
//            3. It stores n + 1 to `taken` (release): the slot is free.
//
// All these are of system scope in kernels. Each word has one writer and only grows. So nothing is
// overwritten before it was taken, and no frame is torn. A writer that finds no room keeps the
// frame where it is, if it can (a socket has a buffer), or discards it and adds 1 to `dropped`
// (relaxed): a loss is always counted. A slot that the writer filled and does not want any more
// has kRingVoid in its flags; the reader gives it back at once.
//
// A writer that will send nothing more stores 1 to `ended` (release) behind its last frame.
// `writer` and `reader` hold the process of each end, 0 while there is none.

inline constexpr std::uint64_t kRingMagic = 0x31474e4952525847U;  ///< "GXRRING1" in memory
inline constexpr std::uint32_t kRingVersion = 1;
/// Alignment of header and slots: a cache line of GPUs, and two of most CPUs.
inline constexpr std::uint32_t kRingLine = 128;
/// From the begin of a slot to its payload.
inline constexpr std::uint32_t kRingPayloadOffset = 64;
inline constexpr std::uint32_t kRingMostSlots = 1U << 20U;       ///< more are refused
inline constexpr std::uint32_t kRingMostFrameBytes = 1U << 20U;  ///< longer frames are refused
inline constexpr std::uint32_t kRingVoid = 1;  ///< in RingSlot::flags: there is no frame

/// The first bytes of a ring. Its maker writes the first line, `magic` last (release).
struct RingHeader {
  std::uint64_t magic = 0;        ///< kRingMagic
  std::uint32_t version = 0;      ///< kRingVersion
  std::uint32_t slots = 0;        ///< a power of two, 2 to kRingMostSlots
  std::uint32_t slot_bytes = 0;   ///< from one slot to the next, a multiple of kRingLine
  std::uint32_t frame_bytes = 0;  ///< most bytes of a frame
  std::uint64_t bytes = 0;        ///< of the whole ring

  alignas(kRingLine) std::uint64_t written = 0;  ///< frames so far, with void ones; of the writer
  std::uint64_t dropped = 0;                     ///< frames that found no room; of the writer
  std::uint32_t ended = 0;                       ///< 1: the writer sends nothing more
  std::uint32_t writer = 0;                      ///< number of its process

  alignas(kRingLine) std::uint64_t taken = 0;  ///< frames so far; of the reader
  std::uint32_t reader = 0;                    ///< number of its process
};
static_assert(sizeof(RingHeader) == 3 * std::size_t{kRingLine});

/// The first bytes of a slot.
struct RingSlot {
  std::uint64_t sequence = 0;   ///< number of its last frame, from 1; 0: it had none
  std::int64_t arrival_ns = 0;  ///< when the frame arrived, by the writer's clock
  std::uint32_t length = 0;     ///< bytes of the frame, at most RingHeader::frame_bytes
  std::uint32_t flags = 0;      ///< 0 or kRingVoid
};
static_assert(sizeof(RingSlot) <= kRingPayloadOffset);

/// Words that two ends share, with the order that the protocol states.
namespace ring_word {

/// The word, and everything that was written before the store_release() of that value.
GXR_RING_CALL inline std::uint64_t load_acquire(const std::uint64_t& word) noexcept {
#ifdef __CUDA_ARCH__
  std::uint64_t value = 0;
  asm volatile("ld.acquire.sys.u64 %0, [%1];" : "=l"(value) : "l"(&word) : "memory");
  return value;
#else
  return std::atomic_ref(const_cast<std::uint64_t&>(word)).load(std::memory_order_acquire);
#endif
}

/// The word alone.
GXR_RING_CALL inline std::uint64_t load_relaxed(const std::uint64_t& word) noexcept {
#ifdef __CUDA_ARCH__
  std::uint64_t value = 0;
  asm volatile("ld.relaxed.sys.u64 %0, [%1];" : "=l"(value) : "l"(&word) : "memory");
  return value;
#else
  return std::atomic_ref(const_cast<std::uint64_t&>(word)).load(std::memory_order_relaxed);
#endif
}

/// Writes the word behind everything that was written before.
GXR_RING_CALL inline void store_release(std::uint64_t& word, std::uint64_t value) noexcept {
#ifdef __CUDA_ARCH__
  asm volatile("st.release.sys.u64 [%0], %1;" ::"l"(&word), "l"(value) : "memory");
#else
  std::atomic_ref(word).store(value, std::memory_order_release);
#endif
}

/// Writes the word alone.
GXR_RING_CALL inline void store_relaxed(std::uint64_t& word, std::uint64_t value) noexcept {
#ifdef __CUDA_ARCH__
  asm volatile("st.relaxed.sys.u64 [%0], %1;" ::"l"(&word), "l"(value) : "memory");
#else
  std::atomic_ref(word).store(value, std::memory_order_relaxed);
#endif
}

/// The same of a word of 32 bits.
GXR_RING_CALL inline std::uint32_t load_acquire(const std::uint32_t& word) noexcept {
#ifdef __CUDA_ARCH__
  std::uint32_t value = 0;
  asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(value) : "l"(&word) : "memory");
  return value;
#else
  return std::atomic_ref(const_cast<std::uint32_t&>(word)).load(std::memory_order_acquire);
#endif
}

/// The same of a word of 32 bits.
GXR_RING_CALL inline void store_release(std::uint32_t& word, std::uint32_t value) noexcept {
#ifdef __CUDA_ARCH__
  asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(&word), "r"(value) : "memory");
#else
  std::atomic_ref(word).store(value, std::memory_order_release);
#endif
}

}  // namespace ring_word

/// From one slot to the next, for frames of up to `frame_bytes` bytes.
[[nodiscard]] GXR_RING_CALL constexpr std::uint32_t ring_slot_bytes(
    std::uint32_t frame_bytes) noexcept {
  return (kRingPayloadOffset + frame_bytes + kRingLine - 1) / kRingLine * kRingLine;
}

/// Bytes of a whole ring.
[[nodiscard]] GXR_RING_CALL constexpr std::uint64_t ring_bytes(std::uint32_t slots,
                                                               std::uint32_t frame_bytes) noexcept {
  return sizeof(RingHeader) + std::uint64_t{slots} * ring_slot_bytes(frame_bytes);
}

/// Is that a ring that can be? `slots` is a power of two from 2 to kRingMostSlots, `frame_bytes`
/// 1 to kRingMostFrameBytes.
[[nodiscard]] GXR_RING_CALL constexpr bool is_ring_size(std::uint32_t slots,
                                                        std::uint32_t frame_bytes) noexcept {
  return slots >= 2 && slots <= kRingMostSlots && (slots & (slots - 1)) == 0 && frame_bytes >= 1 &&
         frame_bytes <= kRingMostFrameBytes;
}

/// A ring as one process or kernel sees it: its address, and what never changes of its header, so
/// that nothing that the other end writes leads out of the memory.
struct RingView {
  RingHeader* header = nullptr;   ///< the first bytes
  std::uint32_t slots = 0;        ///< as in RingHeader
  std::uint32_t slot_bytes = 0;   ///< as in RingHeader
  std::uint32_t frame_bytes = 0;  ///< as in RingHeader

  /// The slot of frame `number`, counted from 0.
  [[nodiscard]] GXR_RING_CALL RingSlot& slot(std::uint64_t number) const noexcept {
    return *reinterpret_cast<RingSlot*>(reinterpret_cast<std::byte*>(header + 1) +
                                        (number & (slots - 1)) * slot_bytes);
  }
  /// The payload of that slot, aligned to 64 bytes.
  [[nodiscard]] GXR_RING_CALL std::byte* payload(std::uint64_t number) const noexcept {
    return reinterpret_cast<std::byte*>(&slot(number)) + kRingPayloadOffset;
  }
};
static_assert(std::is_trivially_copyable_v<RingView>);

/// A view of memory at `address` for a ring of that size. Precondition: is_ring_size().
[[nodiscard]] GXR_RING_CALL inline RingView ring_view(void* address, std::uint32_t slots,
                                                      std::uint32_t frame_bytes) noexcept {
  return {static_cast<RingHeader*>(address), slots, ring_slot_bytes(frame_bytes), frame_bytes};
}

/// Makes an empty ring of memory that is all zeros and aligned to kRingLine. On the host.
inline RingView make_ring(void* zeros, std::uint32_t slots, std::uint32_t frame_bytes) noexcept {
  const RingView ring = ring_view(zeros, slots, frame_bytes);
  ring.header->version = kRingVersion;
  ring.header->slots = slots;
  ring.header->slot_bytes = ring.slot_bytes;
  ring.header->frame_bytes = frame_bytes;
  ring.header->bytes = ring_bytes(slots, frame_bytes);
  ring_word::store_release(ring.header->magic, kRingMagic);
  return ring;
}

/// The ring in `bytes` bytes of memory that another process made, on the host: half a sentence on
/// what is wrong with it, or nullptr, and then its view in `ring`.
inline const char* open_ring(void* memory, std::uint64_t bytes, RingView& ring) noexcept {
  if (bytes < sizeof(RingHeader)) {
    return "it is too small for the header of a ring";
  }
  const RingHeader& header = *static_cast<const RingHeader*>(memory);
  if (ring_word::load_acquire(header.magic) != kRingMagic) {
    return "it is no ring of packets";
  }
  if (header.version != kRingVersion) {
    return "it is a ring of another version";
  }
  const std::uint32_t slots = header.slots;
  const std::uint32_t frame_bytes = header.frame_bytes;
  if (!is_ring_size(slots, frame_bytes) || header.slot_bytes != ring_slot_bytes(frame_bytes) ||
      header.bytes != ring_bytes(slots, frame_bytes)) {
    return "its header contradicts itself";
  }
  if (bytes < header.bytes) {
    return "it is smaller than its header says";
  }
  ring = ring_view(memory, slots, frame_bytes);
  return nullptr;
}

/// The writer of a ring: one thread of one process, or of one kernel. It begins where the writer
/// before it stopped. Trivially copyable: a kernel keeps one in device memory.
class RingWriter {
 public:
  RingWriter() = default;
  /// Writes to `ring`, of which a reader may take meanwhile.
  GXR_RING_CALL explicit RingWriter(const RingView& ring) noexcept
      : ring_(ring), next_(ring_word::load_relaxed(ring.header->written)) {
    taken_ = ring_word::load_acquire(ring.header->taken);
  }

  /// The ring.
  [[nodiscard]] GXR_RING_CALL const RingView& ring() const noexcept { return ring_; }

  /// Frames that can be written now, up to `wanted`. It looks at the reader's word only when it
  /// knows of fewer.
  GXR_RING_CALL std::uint32_t room(std::uint32_t wanted = 1) noexcept {
    if (known_room() < wanted) {
      taken_ = ring_word::load_acquire(ring_.header->taken);
    }
    return known_room() < wanted ? known_room() : wanted;
  }
  /// The place for the payload of the frame `ahead` frames behind the next one.
  /// Precondition: room(ahead + 1) said so.
  [[nodiscard]] GXR_RING_CALL std::byte* payload(std::uint32_t ahead = 0) const noexcept {
    return ring_.payload(next_ + ahead);
  }
  /// Publishes the next frame, whose payload was written. Precondition: there was room().
  GXR_RING_CALL void publish(std::uint32_t length, std::int64_t arrival_ns) noexcept {
    publish(length, arrival_ns, 0);
  }
  /// Publishes the next slot as void. Precondition: there was room().
  GXR_RING_CALL void publish_void() noexcept { publish(0, 0, kRingVoid); }
  /// Copies a frame of `length` bytes, at most frame_bytes, and publishes it. False when there is
  /// no room; then it is counted as dropped. On the host.
  bool write(const void* data, std::uint32_t length, std::int64_t arrival_ns) noexcept {
    if (room() == 0) {
      drop(1);
      return false;
    }
    std::memcpy(payload(), data, length);
    publish(length, arrival_ns);
    return true;
  }
  /// Counts frames that found no room.
  GXR_RING_CALL void drop(std::uint64_t count) noexcept {
    ring_word::store_relaxed(ring_.header->dropped,
                             ring_word::load_relaxed(ring_.header->dropped) + count);
  }
  /// Nothing follows.
  GXR_RING_CALL void end() noexcept { ring_word::store_release(ring_.header->ended, 1U); }

 private:
  [[nodiscard]] GXR_RING_CALL std::uint32_t known_room() const noexcept {
    // A reader's word that cannot be leaves no room.
    const std::uint64_t used = next_ - taken_;
    return used < ring_.slots ? static_cast<std::uint32_t>(ring_.slots - used) : 0;
  }
  GXR_RING_CALL void publish(std::uint32_t length, std::int64_t arrival_ns,
                             std::uint32_t flags) noexcept {
    RingSlot& slot = ring_.slot(next_);
    slot.arrival_ns = arrival_ns;
    slot.length = length;
    slot.flags = flags;
    ++next_;
    ring_word::store_release(slot.sequence, next_);
    ring_word::store_relaxed(ring_.header->written, next_);
  }

  RingView ring_;
  std::uint64_t next_ = 0;   // number of the next frame
  std::uint64_t taken_ = 0;  // of the reader, as far as known
};
static_assert(std::is_trivially_copyable_v<RingWriter>);

/// A frame that a reader has not given back yet.
struct RingFrame {
  const std::byte* data = nullptr;  ///< null: there is none
  std::uint32_t length = 0;         ///< bytes, at most frame_bytes of the ring
  std::int64_t arrival_ns = 0;      ///< by the writer's clock
  bool is_void = false;             ///< there is only its slot

  /// Is there one?
  GXR_RING_CALL explicit operator bool() const noexcept { return data != nullptr; }
};

/// The reader of a ring: one thread of one process, or of one kernel. It begins where the reader
/// before it stopped. Trivially copyable: a kernel keeps one in device memory.
class RingReader {
 public:
  RingReader() = default;
  /// Reads `ring`, to which a writer may write meanwhile.
  GXR_RING_CALL explicit RingReader(const RingView& ring) noexcept
      : ring_(ring), next_(ring_word::load_relaxed(ring.header->taken)) {}

  /// The ring.
  [[nodiscard]] GXR_RING_CALL const RingView& ring() const noexcept { return ring_; }

  /// Is there a frame, or a void slot, which peek() gives back?
  [[nodiscard]] GXR_RING_CALL bool has_more() const noexcept {
    return ring_word::load_acquire(ring_.slot(next_).sequence) == next_ + 1;
  }
  /// The frame that stands `ahead` frames behind the next one, void or not.
  [[nodiscard]] GXR_RING_CALL RingFrame look(std::uint32_t ahead) const noexcept {
    const std::uint64_t number = next_ + ahead;
    const RingSlot& slot = ring_.slot(number);
    if (ring_word::load_acquire(slot.sequence) != number + 1) {
      return {};
    }
    const std::uint32_t length = slot.length;
    return {ring_.payload(number), length < ring_.frame_bytes ? length : ring_.frame_bytes,
            slot.arrival_ns, (slot.flags & kRingVoid) != 0};
  }
  /// The next frame, which stays until take(); the same one again until then. Gives void slots
  /// back.
  GXR_RING_CALL RingFrame peek() noexcept {
    RingFrame frame = look(0);
    while (frame && frame.is_void) {
      take();
      frame = look(0);
    }
    return frame;
  }
  /// Gives the next `count` frames back, which are there.
  GXR_RING_CALL void take(std::uint32_t count = 1) noexcept {
    next_ += count;
    ring_word::store_release(ring_.header->taken, next_);
  }
  /// Has the writer ended, and is nothing left?
  [[nodiscard]] GXR_RING_CALL bool has_ended() const noexcept {
    return ring_word::load_acquire(ring_.header->ended) != 0 && !has_more();
  }

 private:
  RingView ring_;
  std::uint64_t next_ = 0;  // number of the next frame
};
static_assert(std::is_trivially_copyable_v<RingReader>);

}  // namespace gxr::cuda
