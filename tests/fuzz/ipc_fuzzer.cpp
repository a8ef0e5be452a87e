// Sends any bytes through a socket to whoever reads the protocol of IpcTransmitter and IpcReceiver,
// as they are and behind a right hello, and takes the bodies of frames for messages; aborts where a
// promise is broken.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include <sys/socket.h>

#include "gxr/error.hpp"
#include "gxr/gxr.hpp"
#include "ipc/ipc_protocol.hpp"
#include "ipc/message_codec.hpp"
#include "tests/fuzz/promise.hpp"
#include "tests/unit/sdk/harness.hpp"

namespace {

using gxr::fuzz::require;

/// Something that speaks in its own name.
class Owner final : public gxr::Component {};

struct Reader {
  Reader() { harness.initialize(); }

  gxr::harness::Harness harness;
  Owner& owner = harness.add<Owner>("reader/owner");
  gxr::MessageCodec codec{owner, nullptr, {}};
};

void check_code(const gxr::Error& error) {
  require(
      error.code() == gxr::ErrorCode::InvalidData || error.code() == gxr::ErrorCode::Incompatible,
      "nonsense has the code InvalidData or Incompatible");
  require(!error.message().empty(), "an error has a text");
}

void read_message(Reader& reader, const gxr::IpcBytes& bytes) {
  try {
    static_cast<void>(
        reader.codec.decode(bytes, [](gxr::Tensor& /*tensor*/, const gxr::DeviceTensor& device) {
          require(device.tensor.shape.rank() <= gxr::Shape::kMaxRank, "a rank is checked");
          gxr::throw_nonsense("there is no device memory");
        }));
  } catch (const gxr::Error& error) {
    check_code(error);
  }
}

void read_stream(Reader& reader, const gxr::IpcBytes& bytes) {
  std::array<int, 2> ends{};
  require(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()) == 0,
          "there is a socket");
  const gxr::FileDescriptor here(ends[0]);
  {
    const gxr::FileDescriptor there(ends[1]);
    static_cast<void>(gxr::send_some(there, bytes, 0));
  }
  gxr::IpcInput input;
  const gxr::IpcInput::Listener listener = {
      [](const gxr::IpcHello& hello) {
        require(hello.slots <= gxr::kMostIpcSlots, "a number of slots is checked");
      },
      [](const gxr::IpcHeader& header) {
        const auto kind = static_cast<std::uint32_t>(header.kind);
        require(kind >= 1 && kind <= 5, "a kind of frames is checked");
      },
      [&](const gxr::IpcHeader& header, const gxr::IpcBytes& body) {
        require(body.size() == header.bytes, "a body is complete");
        read_message(reader, body);
      }};
  try {
    require(!input.read(here, listener), "the end of the stream is seen");
  } catch (const gxr::Error& error) {
    check_code(error);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Reader reader;
  const auto* begin = reinterpret_cast<const std::byte*>(data);
  const gxr::IpcBytes bytes(begin, begin + size);
  read_stream(reader, bytes);
  gxr::IpcBytes greeted = gxr::encode(gxr::IpcHello{gxr::IpcRole::Transmitter, 4});
  greeted.insert(greeted.end(), bytes.begin(), bytes.end());
  read_stream(reader, greeted);
  read_message(reader, bytes);
  return 0;
}
