#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "device/device_engine.hpp"
#include "gxr/error.hpp"
#include "ipc/file_descriptor.hpp"

namespace gxr {

// What a gxr::cuda::IpcTransmitter and its IpcReceiver say to each other, through a Unix stream
// socket at which the transmitter listens. Numbers are in the byte order of the machine that both
// are on.
//
// Both begin with a hello: magic, version, sizes of the elements of tensors, role, slots. The
// transmitter says Busy, and closes, while another receiver is there. Then frames: a header, and
// `bytes` bytes.
//
//   transmitter:  Memory    the device memory of the slots, once, before the first message in it
//                 Message   `slot` holds it; source time, sequence number, and the message as in
//                           recordings, but for a word before each tensor: see MessageCodec
//                 End       nothing follows
//   receiver:     Returned  `slot` is free again: the message was taken, and its memory is not used
//                 Bye       no more will be taken; how many were

inline constexpr std::uint32_t kMostIpcSlots = 128;

enum class IpcRole : std::uint32_t { Transmitter = 1, Receiver = 2, Busy = 3 };

struct IpcHello {
  IpcRole role = IpcRole::Transmitter;
  std::uint32_t slots = 0;  ///< of a transmitter
};

enum class IpcFrame : std::uint32_t { Message = 1, Memory = 2, End = 3, Returned = 4, Bye = 5 };

struct IpcHeader {
  IpcFrame kind = IpcFrame::End;
  std::uint32_t slot = 0;
  std::uint64_t bytes = 0;
};
static_assert(sizeof(IpcHeader) == 16);

/// Body of Memory.
struct IpcMemory {
  SharedDeviceMemory memory;
  std::uint64_t slot_bytes = 0;
};
static_assert(sizeof(IpcMemory) == 88);

/// Stands before a message.
struct IpcEnvelope {
  std::int64_t source_time = 0;
  std::uint64_t sequence = 0;
};

/// Leaves new bytes as they are: who makes many fills them soon.
template <class T>
struct UnfilledAllocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = UnfilledAllocator<U>;
  };
  UnfilledAllocator() = default;
  template <class U>
  // NOLINTNEXTLINE(google-explicit-constructor): containers convert allocators.
  UnfilledAllocator(const UnfilledAllocator<U>& other) noexcept : std::allocator<T>(other) {}
  template <class U>
  void construct(U* place) noexcept {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
  }
};

/// Bytes that grow are not zero.
using IpcBytes = std::vector<std::byte, UnfilledAllocator<std::byte>>;

IpcBytes encode(const IpcHello& hello);
/// A frame whose body is the bytes of `body`.
template <class Body>
IpcBytes encode_frame(IpcFrame kind, std::uint32_t slot, const Body& body) {
  const IpcHeader header{kind, slot, sizeof(Body)};
  IpcBytes bytes(sizeof(header) + sizeof(Body));
  std::memcpy(bytes.data(), &header, sizeof(header));
  std::memcpy(bytes.data() + sizeof(header), &body, sizeof(Body));
  return bytes;
}
IpcBytes encode_frame(IpcFrame kind, std::uint32_t slot = 0);

/// The other side is no gxr of this kind and version: Error(Incompatible).
[[noreturn]] void throw_stranger(const std::string& text);
/// What it sent after its hello makes no sense: Error(InvalidData).
[[noreturn]] void throw_nonsense(const std::string& text);

/// Takes in what the other side sends, as it comes.
class IpcInput {
 public:
  struct Listener {
    std::function<void(const IpcHello&)> hello;
    /// Throws when there can be no such frame now: asked before memory is taken for it.
    std::function<void(const IpcHeader&)> check;
    std::function<void(const IpcHeader&, IpcBytes)> frame;
  };

  /// Reads all that is there, without waiting. False when the other side has closed. Throws
  /// throw_stranger(), Error(InvalidData) for an unknown frame, and what the listener throws.
  bool read(const FileDescriptor& socket, const Listener& listener);
  [[nodiscard]] bool has_hello() const noexcept { return hello_; }
  /// Has it read a part of something?
  [[nodiscard]] bool is_amid_frame() const noexcept { return have_ > 0 || body_; }

 private:
  void accept_piece(const Listener& listener);
  [[nodiscard]] std::size_t wanted() const noexcept;

  IpcBytes bytes_;
  std::size_t have_ = 0;  // of bytes_
  IpcHeader header_;
  bool hello_ = false;
  bool body_ = false;  // of header_ is read
};

/// Sends as much of `bytes` from `begin` on as the socket takes, without waiting; returns where it
/// stopped. Throws Error(InputOutput) when nobody is there any more.
std::size_t send_some(const FileDescriptor& socket, const IpcBytes& bytes, std::size_t begin);

/// An eventfd, by which one thread wakes another one that waits with poll(2).
class WakeUp {
 public:
  WakeUp();
  [[nodiscard]] int descriptor() const noexcept { return event_.get(); }
  void wake() const noexcept;
  void reset() const noexcept;

 private:
  FileDescriptor event_;
};

}  // namespace gxr
