#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <thread>

#include <linux/sock_diag.h>
#include <sys/socket.h>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "memory.hpp"
#include "packets/udp_drain.hpp"
#include "packets/udp_filler.hpp"
#include "packets/udp_socket.hpp"

namespace gxr::test {

using cuda::RingReader;
using cuda::RingWriter;
using cuda::UdpAddress;
using cuda::UdpDrain;
using cuda::UdpFiller;
using cuda::UdpSocket;

namespace {

constexpr std::uint64_t kBuffer = 1U << 20U;

bool tells_drops(const UdpSocket& socket) {
  std::array<std::uint32_t, SK_MEMINFO_VARS> facts{};
  socklen_t size = sizeof facts;
  return ::getsockopt(socket.descriptor(), SOL_SOCKET, SO_MEMINFO, facts.data(), &size) == 0;
}

/// A socket of this machine, and one that sends to it.
struct Pair {
  UdpSocket receiver;
  UdpSocket sender;

  explicit Pair(const std::string& address = "127.0.0.1")
      : receiver(UdpSocket::receiver(UdpAddress("address", address, 0), options())),
        sender(UdpSocket::sender(receiver.local_address(), options())) {}

  static UdpSocket::Options options() {
    UdpSocket::Options options;
    options.buffer_bytes = kBuffer;
    options.pause = std::chrono::milliseconds(100);
    return options;
  }
  void send(const std::string& text) const {
    REQUIRE(::send(sender.descriptor(), text.data(), text.size(), 0) ==
            static_cast<ssize_t>(text.size()));
  }
};

std::string text_of(const cuda::RingFrame& frame) {
  return {reinterpret_cast<const char*>(frame.data), frame.length};
}

/// All that is in the ring, with a space behind each.
std::string take_all(RingReader& reader) {
  std::string all;
  while (const cuda::RingFrame frame = reader.peek()) {
    all += text_of(frame) + " ";
    reader.take();
  }
  return all;
}

std::string refusal(const std::string& address, const std::string& interface) {
  try {
    UdpSocket::Options options;
    options.interface = interface;
    static_cast<void>(UdpSocket::receiver(UdpAddress("address", address, 0), options));
  } catch (const Error& error) {
    return error.message();
  }
  return {};
}

}  // namespace

TEST_CASE("datagrams come into the ring, those that do not fit are counted") {
  const Pair pair;
  RingInMemory memory(16, 8);
  UdpFiller filler(pair.receiver.descriptor(), memory.ring(), 0);
  RingReader reader(memory.ring());
  pair.send("one");
  pair.send("too long for it");
  pair.send("");
  pair.send("8 bytes!");
  while (filler.datagrams() < 4) {
    CHECK(filler.fill(MSG_WAITFORONE) == UdpFiller::Result::Received);
  }
  CHECK(filler.fill(MSG_DONTWAIT) == UdpFiller::Result::Nothing);
  CHECK(reader.look(0).arrival_ns > 0);
  CHECK(take_all(reader) == "one  8 bytes! ");
  CHECK(filler.too_long() == 1);
  CHECK(filler.other_lengths() == 0);
}

TEST_CASE("datagrams of another length than all should have are counted") {
  const Pair pair;
  RingInMemory memory(16, 8);
  UdpFiller filler(pair.receiver.descriptor(), memory.ring(), 3);
  RingReader reader(memory.ring());
  for (const char* const text : {"one", "", "four", "two", "longer than a slot"}) {
    pair.send(text);
  }
  while (filler.datagrams() < 5) {
    static_cast<void>(filler.fill(MSG_WAITFORONE));
  }
  CHECK(take_all(reader) == "one two ");
  CHECK(filler.too_long() == 1);
  CHECK(filler.other_lengths() == 2);
  CHECK(memory.ring().header->written == 5);
}

TEST_CASE("a full ring leaves datagrams in the socket") {
  const Pair pair;
  RingInMemory memory(2, 8);
  UdpFiller filler(pair.receiver.descriptor(), memory.ring(), 0);
  RingReader reader(memory.ring());
  for (const char* const text : {"a", "b", "c", "d", "e"}) {
    pair.send(text);
  }
  while (filler.datagrams() < 2) {
    static_cast<void>(filler.fill(MSG_WAITFORONE));
  }
  CHECK(filler.fill(MSG_WAITFORONE) == UdpFiller::Result::NoRoom);
  std::string all = take_all(reader);
  while (filler.datagrams() < 5) {
    static_cast<void>(filler.fill(MSG_WAITFORONE));
    all += take_all(reader);
  }
  CHECK(all == "a b c d e ");
  CHECK(pair.receiver.kernel_drops() == 0);
}

TEST_CASE("the kernel's losses are counted") {
  const UdpSocket receiver = UdpSocket::receiver(UdpAddress("address", "127.0.0.1", 0),
                                                 {.interface = {}, .buffer_bytes = 1});
  if (!tells_drops(receiver)) {
    WARN("no counts here: the system does not tell what a socket has dropped, as under QEMU");
    return;
  }
  const UdpSocket sender = UdpSocket::sender(receiver.local_address(), {});
  constexpr std::uint64_t kSent = 1000;
  const std::string text(1000, 'x');
  for (std::uint64_t i = 0; i < kSent; ++i) {
    static_cast<void>(::send(sender.descriptor(), text.data(), text.size(), 0));
  }
  RingInMemory memory(1024, 1000);
  UdpFiller filler(receiver.descriptor(), memory.ring(), 0);
  while (filler.fill(MSG_DONTWAIT) == UdpFiller::Result::Received) {
  }
  CHECK(receiver.kernel_drops() > 0);
  CHECK(filler.datagrams() + receiver.kernel_drops() == kSent);
}

TEST_CASE("frames of a ring are sent, and void ones are not") {
  for (const char* const address : {"127.0.0.1", "::1"}) {
    std::optional<Pair> pair;
    try {
      pair.emplace(address);
    } catch (const Error&) {
      CHECK(std::string(address) == "::1");  // a machine without IPv6
      continue;
    }
    RingInMemory from(16, 16);
    RingWriter writer(from.ring());
    writer.write("one", 3, 0);
    writer.publish_void();
    writer.write("two", 3, 0);
    writer.write("three", 5, 0);
    UdpDrain drain(pair->sender.descriptor(), from.ring());
    while (drain.drain()) {
    }
    CHECK_FALSE(drain.has_more());
    CHECK(drain.sent() == 3);
    CHECK(writer.room(16) == 16);

    RingInMemory to(16, 16);
    UdpFiller filler(pair->receiver.descriptor(), to.ring(), 0);
    while (filler.datagrams() < 3) {
      static_cast<void>(filler.fill(MSG_WAITFORONE));
    }
    RingReader reader(to.ring());
    CHECK(take_all(reader) == "one two three ");
  }
}

TEST_CASE("datagrams that the system refuses are counted and do not stop the others") {
  const Pair pair;
  constexpr std::uint32_t kTooLong = 70'000;
  RingInMemory memory(2, kTooLong);
  RingWriter writer(memory.ring());
  writer.publish(kTooLong, 0);
  writer.write("one", 3, 0);
  UdpDrain drain(pair.sender.descriptor(), memory.ring());
  while (drain.has_more()) {
    static_cast<void>(drain.drain());
  }
  CHECK(drain.refused() == 1);
  CHECK(drain.reason() == EMSGSIZE);
  CHECK(drain.sent() == 1);
}

TEST_CASE("a thread that waits for datagrams is woken") {
  const UdpSocket receiver = UdpSocket::receiver(
      UdpAddress("address", "127.0.0.1", 0), {.interface = {}, .pause = std::chrono::minutes(10)});
  RingInMemory memory(2, 8);
  UdpFiller filler(receiver.descriptor(), memory.ring(), 0);
  std::thread waiting([&] { static_cast<void>(filler.fill(MSG_WAITFORONE)); });
  filler.close();
  receiver.wake();
  waiting.join();
  CHECK(filler.datagrams() == 0);
  CHECK(memory.ring().header->written == 0);
}

TEST_CASE("a multicast group is heard on this machine") {
  UdpSocket::Options options = Pair::options();
  options.interface = "lo";
  const UdpAddress group("address", "239.255.71.1", 0);
  std::optional<UdpSocket> receiver;
  std::optional<UdpSocket> sender;
  try {
    receiver = UdpSocket::receiver(group, options);
    sender = UdpSocket::sender(receiver->local_address(), options);
  } catch (const Error& error) {
    WARN("no multicast here: " << error.message());
    return;
  }
  CHECK(group.is_multicast());
  CHECK(receiver->local_address().text().find("239.255.71.1:") == 0);
  if (::send(sender->descriptor(), "abc", 3, 0) != 3) {
    WARN("no multicast here");
    return;
  }
  RingInMemory memory(2, 8);
  UdpFiller filler(receiver->descriptor(), memory.ring(), 0);
  if (filler.fill(MSG_WAITFORONE) != UdpFiller::Result::Received) {
    WARN("multicast does not loop back here");
    return;
  }
  RingReader reader(memory.ring());
  CHECK(take_all(reader) == "abc ");
}

TEST_CASE("addresses and interfaces that are none are refused") {
  CHECK(refusal("localhost", "") ==
        "'address' is 'localhost', but an address of IPv4 or IPv6 is needed, such as 127.0.0.1 or "
        "::1");
  CHECK(refusal("127.0.0.1", "nosuchcard") ==
        "'interface': there is no network interface 'nosuchcard'; 'ip link' lists them");
  CHECK(refusal("192.0.2.1", "").find("cannot receive at 192.0.2.1:0: ") == 0);
  CHECK(UdpAddress("address", "::1", 80).text() == "[::1]:80");
  CHECK(UdpAddress("address", "ff02::1", 80).is_multicast());
}

}  // namespace gxr::test
