#include "ipc/ipc_protocol.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <sys/eventfd.h>
#include <sys/socket.h>

#include "gxr/plain_text.hpp"
#include "gxr/tensor.hpp"

namespace gxr {
namespace {

constexpr std::uint32_t kIpcVersion = 1;
constexpr std::size_t kElementTypes = static_cast<std::size_t>(ElementType::Float16) + 1;
/// More than a machine has: such a header is damaged.
constexpr std::uint64_t kMostFrameBytes = std::uint64_t{1} << 40;
/// Of a frame, before any of it is there. Then memory grows with what has come.
constexpr std::size_t kFirstBytes = 65536;

/// As it travels.
struct WireHello {
  // The line end makes a control socket answer at once that this is not for it.
  std::array<char, 8> magic = {'g', 'x', 'r', '-', 'i', 'p', 'c', '\n'};
  std::uint32_t version = kIpcVersion;
  std::uint32_t role = 0;
  std::uint32_t slots = 0;
  std::array<std::uint8_t, 16> element_sizes{};
  std::uint32_t frame_header = sizeof(IpcHeader);
};
static_assert(sizeof(WireHello) == 40 && kElementTypes <= 16);

WireHello wire_hello() {
  WireHello hello;
  for (std::size_t i = 0; i < kElementTypes; ++i) {
    hello.element_sizes.at(i) = static_cast<std::uint8_t>(size_of(static_cast<ElementType>(i)));
  }
  return hello;
}

IpcHello checked_hello(const std::byte* bytes) {
  const WireHello own = wire_hello();
  WireHello hello;
  std::memcpy(&hello, bytes, sizeof(hello));
  if (hello.magic != own.magic) {
    throw_stranger("it speaks another language");
  }
  if (hello.version != own.version) {
    throw_stranger("it speaks version " + std::to_string(hello.version) + ", this gxr " +
                   std::to_string(own.version));
  }
  if (hello.element_sizes != own.element_sizes || hello.frame_header != own.frame_header) {
    throw_stranger("its elements of tensors or frames have other sizes");
  }
  if (hello.role < 1 || hello.role > 3 || hello.slots > kMostIpcSlots) {
    throw_stranger("its first words make no sense");
  }
  return {static_cast<IpcRole>(hello.role), hello.slots};
}

IpcHeader checked_header(const std::byte* bytes) {
  IpcHeader header;
  std::memcpy(&header, bytes, sizeof(header));
  const auto kind = static_cast<std::uint32_t>(header.kind);
  if (kind < 1 || kind > 5) {
    throw_nonsense("there is no frame of kind " + std::to_string(kind));
  }
  if (header.bytes > kMostFrameBytes) {
    throw_nonsense("a frame cannot have " + std::to_string(header.bytes) + " bytes");
  }
  return header;
}

}  // namespace

void throw_stranger(const std::string& text) { throw Error(ErrorCode::Incompatible, text); }
void throw_nonsense(const std::string& text) { throw Error(ErrorCode::InvalidData, text); }

IpcBytes encode(const IpcHello& hello) {
  WireHello wire = wire_hello();
  wire.role = static_cast<std::uint32_t>(hello.role);
  wire.slots = hello.slots;
  IpcBytes bytes(sizeof(wire));
  std::memcpy(bytes.data(), &wire, sizeof(wire));
  return bytes;
}

IpcBytes encode_frame(IpcFrame kind, std::uint32_t slot) {
  const IpcHeader header{kind, slot, 0};
  IpcBytes bytes(sizeof(header));
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

std::size_t IpcInput::wanted() const noexcept {
  return !hello_ ? sizeof(WireHello) : body_ ? header_.bytes : sizeof(IpcHeader);
}

bool IpcInput::read(const FileDescriptor& socket, const Listener& listener) {
  for (;;) {
    const std::size_t room = std::min(wanted(), std::max(2 * have_, kFirstBytes));
    bytes_.resize(std::max(room, have_));
    const ssize_t size = ::recv(socket.get(), bytes_.data() + have_, bytes_.size() - have_, 0);
    // The other side may have closed without reading all, which is said before what it sent.
    if (size < 0 && (errno == EINTR || errno == ECONNRESET)) {
      continue;
    }
    if (size <= 0) {
      return size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    }
    have_ += static_cast<std::size_t>(size);
    if (have_ == wanted()) {
      accept_piece(listener);
    }
  }
}

/// A hello, a header or a body is complete.
void IpcInput::accept_piece(const Listener& listener) {
  have_ = 0;
  if (!hello_) {
    const IpcHello hello = checked_hello(bytes_.data());
    hello_ = true;
    listener.hello(hello);
  } else if (!body_) {
    header_ = checked_header(bytes_.data());
    listener.check(header_);
    body_ = header_.bytes > 0;
    if (!body_) {
      listener.frame(header_, {});
    }
  } else {
    body_ = false;
    listener.frame(header_, std::exchange(bytes_, {}));
  }
}

std::size_t send_some(const FileDescriptor& socket, const IpcBytes& bytes, std::size_t begin) {
  while (begin < bytes.size()) {
    const ssize_t sent = ::send(socket.get(), bytes.data() + begin, bytes.size() - begin,
                                MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      begin += static_cast<std::size_t>(sent);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      break;
    } else if (errno != EINTR) {
      throw Error(ErrorCode::InputOutput, system_error_text(errno));
    }
  }
  return begin;
}

WakeUp::WakeUp() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!event_.is_open()) {
    throw Error(ErrorCode::OutOfMemory, "no file descriptor is left for a thread to be woken by");
  }
}

// Adding to an eventfd fails only when it is full, and so readable.
void WakeUp::wake() const noexcept { static_cast<void>(::eventfd_write(event_.get(), 1)); }

void WakeUp::reset() const noexcept {
  eventfd_t count = 0;
  static_cast<void>(::eventfd_read(event_.get(), &count));
}

}  // namespace gxr
