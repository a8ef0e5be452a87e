// Packets a second of a UDP socket on loopback: a loop of recvmmsg written by hand, and
// gxr::cuda::UdpFiller with a RingReader behind it, in turns. Prints a Markdown table; ends with 1
// when a datagram is not accounted for.
//
//     bench_packets [ROUNDS]
//
// "waiting": the datagrams wait in the socket's buffer when the clock starts, so that the receiver
// alone is measured, in the time that it has a core. "flood": a thread sends as fast as it can, and
// the kernel drops what finds no room.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <sys/socket.h>

#include "gxr/cuda/frame_order.hpp"
#include "packets/shared_memory.hpp"
#include "packets/udp_filler.hpp"
#include "packets/udp_socket.hpp"

namespace {

using namespace gxr::cuda;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kBatch = 64;
constexpr std::uint32_t kSlots = 1024;
constexpr std::uint32_t kFewSlots = 64;
constexpr std::uint64_t kBuffer = 64U << 20U;
constexpr std::uint64_t kFloodBuffer = 64U << 10U;
constexpr std::uint64_t kFlood = 100'000;
constexpr std::chrono::milliseconds kQuiet{300};

constexpr FrameNumber kNumber{0, 8, false};

/// Sends datagrams that begin with their number.
class Sender {
 public:
  Sender(const UdpAddress& to, std::uint32_t bytes)
      : socket_(UdpSocket::sender(to, {.interface = {}, .buffer_bytes = kBuffer})),
        data_(std::size_t{bytes} * kBatch) {
    for (std::uint32_t i = 0; i < kBatch; ++i) {
      places_[i] = {&data_[std::size_t{i} * bytes], bytes};
      calls_[i].msg_hdr.msg_iov = &places_[i];
      calls_[i].msg_hdr.msg_iovlen = 1;
    }
  }
  void send(std::uint64_t count) {
    while (count > 0) {
      const auto batch = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, kBatch));
      for (std::uint32_t i = 0; i < batch; ++i) {
        kNumber.write(static_cast<std::byte*>(places_[i].iov_base), next_ + i);
      }
      const int sent = ::sendmmsg(socket_.descriptor(), calls_.data(), batch, 0);
      if (sent > 0) {
        next_ += static_cast<std::uint64_t>(sent);
        count -= static_cast<std::uint64_t>(sent);
      }
    }
  }
  [[nodiscard]] std::uint64_t sent() const noexcept { return next_; }

 private:
  UdpSocket socket_;
  std::vector<std::byte> data_;
  std::array<iovec, kBatch> places_{};
  std::array<mmsghdr, kBatch> calls_{};
  std::uint64_t next_ = 0;
};

/// Receives datagrams, and counts by their numbers.
class Receiver {
 public:
  Receiver() = default;
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;
  virtual ~Receiver() = default;

  /// Receives what is there, without waiting, or waits as the flags say; how many.
  virtual std::uint64_t receive(int flags) = 0;
  [[nodiscard]] const FrameCounts& counts() const noexcept { return order_.counts; }

 protected:
  FrameOrder order_{kNumber.bytes};
};

/// As one writes it by hand: a buffer for each datagram of a call, and a look at each number.
class ByHand final : public Receiver {
 public:
  ByHand(int socket, std::uint32_t bytes) : socket_(socket), data_(std::size_t{bytes} * kBatch) {
    for (std::uint32_t i = 0; i < kBatch; ++i) {
      places_[i] = {&data_[std::size_t{i} * bytes], bytes};
      calls_[i].msg_hdr.msg_iov = &places_[i];
      calls_[i].msg_hdr.msg_iovlen = 1;
    }
  }
  std::uint64_t receive(int flags) override {
    const int count = ::recvmmsg(socket_, calls_.data(), kBatch, flags, nullptr);
    for (int i = 0; i < count; ++i) {
      const auto& place = places_[static_cast<std::size_t>(i)];
      static_cast<void>(order_.see(kNumber.read(static_cast<const std::byte*>(place.iov_base))));
    }
    return count > 0 ? static_cast<std::uint64_t>(count) : 0;
  }

 private:
  int socket_;
  std::vector<std::byte> data_;
  std::array<iovec, kBatch> places_{};
  std::array<mmsghdr, kBatch> calls_{};
};

/// Through the ring: what UdpToRing's thread does, and a reader behind it on the same core.
class ThroughRing final : public Receiver {
 public:
  ThroughRing(int socket, std::uint32_t bytes, std::uint32_t slots)
      : memory_("", slots, bytes),
        filler_(socket, memory_.ring(), bytes),
        reader_(memory_.ring()) {}
  std::uint64_t receive(int flags) override {
    static_cast<void>(filler_.fill(flags));
    std::uint64_t count = 0;
    while (const RingFrame frame = reader_.peek()) {
      static_cast<void>(order_.see(kNumber.read(frame.data)));
      reader_.take();
      ++count;
    }
    return count;
  }

 private:
  RingMemory memory_;  // as a SharedRing has it
  UdpFiller filler_;
  RingReader reader_;
};

enum class Way : std::uint8_t { ByHand, ThroughRing };

struct Setup {
  UdpSocket socket;
  Sender sender;
  std::unique_ptr<Receiver> receiver;

  Setup(Way way, std::uint32_t bytes, std::uint32_t slots, std::uint64_t buffer)
      : socket(UdpSocket::receiver(
            UdpAddress("address", "127.0.0.1", 0),
            {.interface = {}, .buffer_bytes = buffer, .pause = std::chrono::milliseconds(50)})),
        sender(socket.local_address(), bytes) {
    if (way == Way::ByHand) {
      receiver = std::make_unique<ByHand>(socket.descriptor(), bytes);
    } else {
      receiver = std::make_unique<ThroughRing>(socket.descriptor(), bytes, slots);
    }
  }
  /// Everything that was sent came, or is known to be lost.
  void account() const {
    const FrameCounts& counts = receiver->counts();
    const std::uint64_t dropped = socket.kernel_drops();
    // The kernel may have dropped the last ones, which no number behind them tells.
    if (counts.received + dropped != sender.sent() || counts.lost > dropped ||
        counts.late + counts.repeated > 0) {
      std::fprintf(
          stderr, "%llu sent, but %llu received, %llu lost and %llu dropped by the kernel\n",
          static_cast<unsigned long long>(sender.sent()),
          static_cast<unsigned long long>(counts.received),
          static_cast<unsigned long long>(counts.lost), static_cast<unsigned long long>(dropped));
      std::exit(1);
    }
  }
};

/// Time that this thread had a core: other processes of a busy machine do not count.
double own_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Packets a second of what waits in the socket.
double waiting(Way way, std::uint32_t bytes, std::uint32_t slots) {
  Setup setup(way, bytes, slots, kBuffer);
  // As many as the buffer surely holds.
  const std::uint64_t count =
      std::clamp<std::uint64_t>(setup.socket.buffer_bytes(true) / (4 * (bytes + 1024)), 64, 20'000);
  constexpr int kTimes = 20;
  double seconds = 0;
  for (int i = 0; i < kTimes; ++i) {
    setup.sender.send(count);
    std::uint64_t received = 0;
    const double begin = own_seconds();
    while (received < count) {
      const std::uint64_t more = setup.receiver->receive(MSG_DONTWAIT);
      received += more;
      if (more == 0) {
        break;
      }
    }
    seconds += own_seconds() - begin;
  }
  setup.account();
  return static_cast<double>(setup.receiver->counts().received) / seconds;
}

struct Flood {
  double packets_a_second = 0;
  double received = 0;  // of those that were sent
};

/// A sender that never waits.
Flood flood(Way way, std::uint32_t bytes) {
  Setup setup(way, bytes, kSlots, kFloodBuffer);
  std::thread sending([&] { setup.sender.send(kFlood); });
  Clock::time_point begin;
  Clock::time_point last;
  std::uint64_t received = 0;
  while (received == 0 || Clock::now() - last < kQuiet) {
    const std::uint64_t more = setup.receiver->receive(MSG_WAITFORONE);
    if (more > 0) {
      last = Clock::now();
      begin = received == 0 ? last : begin;
      received += more;
    }
  }
  sending.join();
  setup.account();
  return {static_cast<double>(received) / std::chrono::duration<double>(last - begin).count(),
          static_cast<double>(received) / static_cast<double>(kFlood)};
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void print(const char* name, std::uint32_t bytes, std::uint32_t slots, int rounds,
           const std::function<double(Way)>& measure) {
  std::vector<double> by_hand;
  std::vector<double> through_ring;
  std::vector<double> ratios;
  for (int i = 0; i < rounds; ++i) {
    by_hand.push_back(measure(Way::ByHand));
    through_ring.push_back(measure(Way::ThroughRing));
    ratios.push_back(through_ring.back() / by_hand.back());
  }
  std::printf("| %s | %u | %u | %.2f | %.2f | %.2f |\n", name, bytes, slots, median(by_hand) * 1e-6,
              median(through_ring) * 1e-6, median(ratios));
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  const int rounds = count > 1 ? std::max(1, std::atoi(arguments[1])) : 7;
  std::puts("| packets | bytes | slots | by hand, millions a second | gxr | gxr / by hand |");
  std::puts("|---|---|---|---|---|---|");
  for (const std::uint32_t bytes : {64U, 1472U, 8192U}) {
    for (const std::uint32_t slots : {kSlots, kFewSlots}) {
      print("waiting", bytes, slots, rounds, [&](Way way) { return waiting(way, bytes, slots); });
    }
  }
  for (const std::uint32_t bytes : {64U, 1472U}) {
    double received = 1;
    print("flood", bytes, kSlots, rounds, [&](Way way) {
      const Flood found = flood(way, bytes);
      received = std::min(received, found.received);
      return found.packets_a_second;
    });
    std::printf(
        "\nof the flood of %u bytes, at least %.1f %% came, and all others were counted\n\n", bytes,
        100 * received);
  }
  return 0;
}
