#include "rank_run/rank_meeting.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"
#include "system/nanoseconds.hpp"

namespace gxr {
namespace {

using MeetingClock = std::chrono::steady_clock;

constexpr std::chrono::seconds kMeetingPatience{30};
/// An address of a host may be in a network that does not reach the caller.
constexpr std::chrono::seconds kCallPatience{3};
constexpr std::uint32_t kGreeting = 0x47585231;  // "GXR1"

using Secret = std::array<std::uint8_t, 16>;

/// Where a rank listens, and of which host it is.
struct Contact {
  RankHost host;
  std::uint16_t port = 0;
  std::uint16_t loopback = AF_INET;  ///< its family, for ranks of the same host
  Secret secret{};
};
static_assert(std::is_trivially_copyable_v<Contact>);

struct Hello {
  std::uint32_t greeting = kGreeting;
  Rank from = 0;
  Secret secret{};
};

[[noreturn]] void throw_system(const std::string& what) {
  throw Error(ErrorCode::InputOutput, what + ": " + system_error_text(errno));
}

Contact own_contact(const RankHost& host) {
  Contact contact;
  contact.host = host;
  if (::getrandom(contact.secret.data(), contact.secret.size(), 0) !=
      static_cast<ssize_t>(contact.secret.size())) {
    throw_system("there is no random number for the secret of the ranks");
  }
  return contact;
}

/// One that is not open when the system does not have the family, which errno tells.
FileDescriptor tcp_socket(int family) {
  return FileDescriptor(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

/// Listens at an address, at `::` for IPv4, too. Nothing: it cannot, which errno tells.
FileDescriptor listen_at(const HostAddress& address, std::uint16_t& port) {
  FileDescriptor listener = tcp_socket(address.family);
  if (!listener.is_open()) {
    return listener;
  }
  if (address.family == AF_INET6) {
    constexpr int kOff = 0;
    ::setsockopt(listener.get(), IPPROTO_IPV6, IPV6_V6ONLY, &kOff, sizeof(kOff));
  }
  const SocketAddress at(address, 0);
  sockaddr_storage bound{};
  socklen_t size = sizeof(bound);
  if (::bind(listener.get(), at.get(), at.size()) != 0 ||
      ::listen(listener.get(), SOMAXCONN) != 0 ||
      ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&bound), &size) != 0) {
    return {};
  }
  static_assert(offsetof(sockaddr_in, sin_port) == offsetof(sockaddr_in6, sin6_port));
  sockaddr_in with_port{};
  std::memcpy(&with_port, &bound, sizeof(with_port));
  port = ntohs(with_port.sin_port);
  return listener;
}

/// A lost host says nothing: the kernel asks every second, and gives up after three.
void set_options(const FileDescriptor& socket) {
  constexpr int kOn = 1;
  constexpr int kSeconds = 1;
  constexpr int kProbes = 3;
  constexpr unsigned kMilliseconds = 3000;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &kOn, sizeof(kOn));
  ::setsockopt(socket.get(), SOL_SOCKET, SO_KEEPALIVE, &kOn, sizeof(kOn));
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_KEEPIDLE, &kSeconds, sizeof(kSeconds));
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_KEEPINTVL, &kSeconds, sizeof(kSeconds));
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_KEEPCNT, &kProbes, sizeof(kProbes));
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_USER_TIMEOUT, &kMilliseconds, sizeof(kMilliseconds));
}

int milliseconds_until(MeetingClock::time_point deadline) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - MeetingClock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1000 * 3600));
}

bool wait_for(const FileDescriptor& socket, short events, MeetingClock::time_point deadline) {
  pollfd file{socket.get(), events, 0};
  int ready = 0;
  do {
    ready = ::poll(&file, 1, milliseconds_until(deadline));
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

std::uint16_t family_of_loopback() {
  std::uint16_t ignored = 0;
  return listen_at(HostAddress::loopback(AF_INET), ignored).is_open() ? AF_INET : AF_INET6;
}

/// False: nobody is there, which errno tells.
bool connect_to(const FileDescriptor& socket, const SocketAddress& address,
                MeetingClock::time_point deadline) {
  if (!socket.is_open()) {
    return false;
  }
  if (::connect(socket.get(), address.get(), address.size()) == 0) {
    return true;
  }
  if (errno != EINPROGRESS) {
    return false;
  }
  if (!wait_for(socket, POLLOUT, deadline)) {
    errno = ETIMEDOUT;
    return false;
  }
  int error = 0;
  socklen_t size = sizeof(error);
  ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size);
  errno = error;
  return error == 0;
}

/// Small values, for which a fresh socket has room.
template <class T>
bool send_value(const FileDescriptor& socket, const T& value) {
  return ::send(socket.get(), &value, sizeof(value), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(sizeof(value));
}

/// False: the other side is gone, or too slow.
template <class T>
bool read_value(const FileDescriptor& socket, T& value, MeetingClock::time_point deadline) {
  std::array<std::byte, sizeof(T)> bytes;
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got = ::recv(socket.get(), bytes.data() + have, bytes.size() - have, 0);
    if (got > 0) {
      have += static_cast<std::size_t>(got);
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR) ||
               !wait_for(socket, POLLIN, deadline)) {
      return false;
    }
  }
  std::memcpy(&value, bytes.data(), sizeof(T));
  return true;
}

/// Somebody who has called and not yet said who it is.
struct Caller {
  FileDescriptor socket;
  std::array<std::byte, sizeof(Hello)> bytes{};
  std::size_t have = 0;
};

class Meeting {
 public:
  Meeting(Rank self, Rank ranks, const GatherBytes& gather, const RankHost& host)
      : self_(self), deadline_(MeetingClock::now() + kMeetingPatience), sockets_(ranks) {
    Contact own = own_contact(host);
    exchange(own, gather);
    const bool is_one_host = std::ranges::all_of(
        contacts_, [&](const Contact& contact) { return contact.host.is_same(own.host); });
    listen(own, is_one_host);
    exchange(own, gather);
    hello_ = {kGreeting, self_, contacts_.front().secret};
  }

  std::vector<FileDescriptor> take() {
    for (Rank other = 0; other < self_; ++other) {
      call(other);
    }
    while (missing() != self_) {
      accept_callers();
    }
    return std::move(sockets_);
  }

 private:
  [[nodiscard]] std::string name(Rank rank) const {
    return "rank " + std::to_string(rank) + " (" + contacts_[rank].host.name.data() + ")";
  }

  void exchange(const Contact& own, const GatherBytes& gather) {
    contacts_.clear();
    for (const std::vector<std::byte>& bytes : gather(std::as_bytes(std::span(&own, 1)))) {
      Contact& contact = contacts_.emplace_back();
      std::memcpy(&contact, bytes.data(), std::min(bytes.size(), sizeof(contact)));
    }
  }

  /// The network decides who reaches it; the secret, who gets in.
  void listen(Contact& own, bool is_one_host) {
    const auto place = is_one_host ? &HostAddress::loopback : &HostAddress::any;
    // A loopback has one of the families; a listener for other hosts has both, if it can.
    for (const int family : {is_one_host ? AF_INET : AF_INET6, is_one_host ? AF_INET6 : AF_INET}) {
      listener_ = listen_at(place(family), own.port);
      if (listener_.is_open()) {
        own.loopback = is_one_host ? static_cast<std::uint16_t>(family) : family_of_loopback();
        return;
      }
    }
    throw_system("no port is free for other ranks");
  }

  [[nodiscard]] std::vector<HostAddress> addresses_of(const Contact& contact) const {
    if (contact.host.is_same(contacts_[self_].host)) {
      return {HostAddress::loopback(contact.loopback)};
    }
    const auto begin = contact.host.address.begin();
    const auto count = std::min<std::size_t>(contact.host.addresses, RankHost::kMostAddresses);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }

  void call(Rank other) {
    const Contact& contact = contacts_[other];
    std::string reasons;
    for (const HostAddress& address : addresses_of(contact)) {
      FileDescriptor socket = tcp_socket(address.family);
      const auto deadline = std::min(deadline_, MeetingClock::now() + kCallPatience);
      Hello answer;
      if (connect_to(socket, SocketAddress(address, contact.port), deadline) &&
          send_value(socket, hello_) && read_value(socket, answer, deadline_) &&
          answer.secret == hello_.secret && answer.from == other) {
        set_options(socket);
        sockets_[other] = std::move(socket);
        return;
      }
      reasons += (reasons.empty() ? "" : "; ") + address.text() + ": " + system_error_text(errno);
    }
    throw Error(ErrorCode::InputOutput,
                name(self_) + " does not reach " + name(other) + ": " +
                    (reasons.empty() ? "its host has no address" : reasons));
  }

  /// The lowest rank that has not called yet; this one: all have.
  [[nodiscard]] Rank missing() const {
    for (Rank other = self_ + 1; other < sockets_.size(); ++other) {
      if (!sockets_[other].is_open()) {
        return other;
      }
    }
    return self_;
  }

  void accept_callers() {
    std::vector<pollfd> files{{listener_.get(), POLLIN, 0}};
    for (const Caller& caller : callers_) {
      files.push_back({caller.socket.get(), POLLIN, 0});
    }
    const int ready = ::poll(files.data(), files.size(), milliseconds_until(deadline_));
    if (ready == 0) {
      throw Error(ErrorCode::InputOutput,
                  name(missing()) + " did not call " + name(self_) + " within half a minute");
    }
    for (std::size_t i = callers_.size(); ready > 0 && i-- > 0;) {
      if (files[i + 1].revents != 0 && !hear(callers_[i])) {
        callers_.erase(callers_.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
    if (ready > 0 && files[0].revents != 0) {
      FileDescriptor socket(
          ::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (socket.is_open()) {
        callers_.emplace_back().socket = std::move(socket);
      }
    }
  }

  /// False: it is done with, as a rank or a stranger.
  bool hear(Caller& caller) {
    const ssize_t got = ::recv(caller.socket.get(), caller.bytes.data() + caller.have,
                               caller.bytes.size() - caller.have, 0);
    if (got <= 0) {
      return got < 0 && (errno == EAGAIN || errno == EINTR);
    }
    caller.have += static_cast<std::size_t>(got);
    if (caller.have < caller.bytes.size()) {
      return true;
    }
    Hello hello;
    std::memcpy(&hello, caller.bytes.data(), sizeof(hello));
    const bool is_rank = hello.greeting == kGreeting && hello.secret == hello_.secret &&
                         hello.from > self_ && hello.from < sockets_.size() &&
                         !sockets_[hello.from].is_open();
    if (is_rank && send_value(caller.socket, hello_)) {
      set_options(caller.socket);
      sockets_[hello.from] = std::move(caller.socket);
    }
    return false;
  }

  const Rank self_;
  const MeetingClock::time_point deadline_;
  FileDescriptor listener_;
  std::vector<Contact> contacts_;
  Hello hello_;
  std::vector<Caller> callers_;
  std::vector<FileDescriptor> sockets_;
};

}  // namespace

std::vector<FileDescriptor> meet_ranks(Rank self, Rank ranks, const GatherBytes& gather,
                                       const RankHost& host) {
  return Meeting(self, ranks, gather, host).take();
}

namespace {

[[noreturn]] void throw_gone(std::size_t rank) {
  throw Error(ErrorCode::InputOutput,
              "rank " + std::to_string(rank) + " has gone before the application ran");
}

/// The answer of rank 0 to a question for the time.
struct TimeAnswer {
  RankHost host;
  std::int64_t steady_ns = 0;
};

constexpr int kTimesAsked = 8;
constexpr std::chrono::seconds kTimePatience{30};

void answer_times(const std::vector<FileDescriptor>& sockets) {
  TimeAnswer answer{RankHost::own(), 0};
  for (std::size_t i = 1; i < sockets.size(); ++i) {
    for (int times = 0; times < kTimesAsked; ++times) {
      std::uint8_t question = 0;
      if (!read_value(sockets[i], question, MeetingClock::now() + kTimePatience)) {
        throw_gone(i);
      }
      answer.steady_ns = steady_now();
      if (!send_value(sockets[i], answer)) {
        throw_gone(i);
      }
    }
  }
}

}  // namespace

ClockOffset measure_clock(Rank self, const std::vector<FileDescriptor>& sockets) {
  if (self == 0) {
    answer_times(sockets);
    return {};
  }
  const RankHost own = RankHost::own();
  ClockOffset best{0, kForever};
  for (int times = 0; times < kTimesAsked; ++times) {
    const std::int64_t before = steady_now();
    TimeAnswer answer;
    // Rank 0 may answer all others first.
    if (!send_value(sockets[0], std::uint8_t{1}) ||
        !read_value(sockets[0], answer, MeetingClock::now() + sockets.size() * kTimePatience)) {
      throw_gone(0);
    }
    const std::int64_t half = (steady_now() - before) / 2;
    if (answer.host.shares_kernel(own)) {
      best = {};
    } else if (half < best.uncertainty) {
      best = {before + half - answer.steady_ns, half};
    }
  }
  return best;
}

std::vector<RankReadiness> exchange_readiness(Rank self, const std::vector<FileDescriptor>& sockets,
                                              const RankReadiness& own) {
  std::vector<RankReadiness> all(sockets.size(), own);
  for (std::size_t i = 0; i < sockets.size(); ++i) {
    if (i != self && !send_value(sockets[i], own)) {
      throw_gone(i);
    }
  }
  for (std::size_t i = 0; i < sockets.size(); ++i) {
    // To load a large application may take long.
    if (i != self && !read_value(sockets[i], all[i], MeetingClock::now() + std::chrono::hours(1))) {
      throw_gone(i);
    }
  }
  return all;
}

}  // namespace gxr
