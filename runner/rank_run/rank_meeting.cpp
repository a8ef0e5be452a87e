#include "rank_run/rank_meeting.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"
#include "system/nanoseconds.hpp"

namespace gxr {
namespace {

using MeetingClock = std::chrono::steady_clock;

constexpr std::chrono::seconds kMeetingPatience{30};
/// An address of a host may be in a network that does not reach the caller.
constexpr std::chrono::seconds kCallPatience{3};
constexpr std::size_t kMostAddresses = 8;
constexpr std::uint32_t kGreeting = 0x47585231;  // "GXR1"

using Secret = std::array<std::uint8_t, 16>;

/// Where a rank listens, and of which host it is.
struct Contact {
  std::array<char, 64> host{};  ///< its name
  std::array<char, 40> boot{};  ///< of its kernel
  std::uint64_t network = 0;    ///< of the network namespace
  std::uint16_t port = 0;
  std::uint16_t addresses = 0;
  std::array<in_addr, kMostAddresses> address{};  ///< for ranks of other hosts
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

void read_boot(std::array<char, 40>& boot) {
  const FileDescriptor file(::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC));
  if (file.is_open()) {
    static_cast<void>(::read(file.get(), boot.data(), boot.size() - 1));
  }
}

Contact own_contact() {
  Contact contact;
  ::gethostname(contact.host.data(), contact.host.size() - 1);
  read_boot(contact.boot);
  struct stat network {};
  if (::stat("/proc/self/ns/net", &network) == 0) {
    contact.network = network.st_ino;
  }
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) == 0) {
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(list, &::freeifaddrs);
    for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
      if (each->ifa_addr != nullptr && each->ifa_addr->sa_family == AF_INET &&
          (each->ifa_flags & IFF_UP) != 0 && (each->ifa_flags & IFF_LOOPBACK) == 0 &&
          contact.addresses < kMostAddresses) {
        sockaddr_in address{};
        std::memcpy(&address, each->ifa_addr, sizeof(address));
        contact.address.at(contact.addresses++) = address.sin_addr;
      }
    }
  }
  if (::getrandom(contact.secret.data(), contact.secret.size(), 0) !=
      static_cast<ssize_t>(contact.secret.size())) {
    throw_system("there is no random number for the secret of the ranks");
  }
  return contact;
}

bool share_host(const Contact& a, const Contact& b) {
  return a.boot == b.boot && a.network == b.network && a.host == b.host;
}

sockaddr_in socket_address(in_addr address, std::uint16_t port) {
  sockaddr_in result{};
  result.sin_family = AF_INET;
  result.sin_addr = address;
  result.sin_port = htons(port);
  return result;
}

FileDescriptor tcp_socket() {
  FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.is_open()) {
    throw_system("there is no socket for another rank");
  }
  return socket;
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

/// False: nobody is there, which errno tells.
bool connect_to(const FileDescriptor& socket, const sockaddr_in& address,
                MeetingClock::time_point deadline) {
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) {
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
  Meeting(Rank self, Rank ranks, const GatherBytes& gather)
      : self_(self), deadline_(MeetingClock::now() + kMeetingPatience), sockets_(ranks) {
    Contact own = own_contact();
    exchange(own, gather);
    const bool is_one_host = std::ranges::all_of(
        contacts_, [&](const Contact& contact) { return share_host(contact, own); });
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
    return "rank " + std::to_string(rank) + " (" + contacts_[rank].host.data() + ")";
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
    listener_ = tcp_socket();
    const sockaddr_in any = socket_address({htonl(is_one_host ? INADDR_LOOPBACK : INADDR_ANY)}, 0);
    sockaddr_in bound{};
    socklen_t size = sizeof(bound);
    if (::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&any), sizeof(any)) != 0 ||
        ::listen(listener_.get(), SOMAXCONN) != 0 ||
        ::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&bound), &size) != 0) {
      throw_system("no port is free for other ranks");
    }
    own.port = ntohs(bound.sin_port);
  }

  void call(Rank other) {
    const Contact& contact = contacts_[other];
    std::vector<in_addr> addresses;
    if (share_host(contact, contacts_[self_])) {
      addresses.push_back({htonl(INADDR_LOOPBACK)});
    } else {
      const auto count = std::min<std::size_t>(contact.addresses, kMostAddresses);
      addresses.assign(contact.address.begin(),
                       contact.address.begin() + static_cast<std::ptrdiff_t>(count));
    }
    std::string reasons;
    for (const in_addr address : addresses) {
      FileDescriptor socket = tcp_socket();
      const auto deadline = std::min(deadline_, MeetingClock::now() + kCallPatience);
      Hello answer;
      if (connect_to(socket, socket_address(address, contact.port), deadline) &&
          send_value(socket, hello_) && read_value(socket, answer, deadline_) &&
          answer.secret == hello_.secret && answer.from == other) {
        set_options(socket);
        sockets_[other] = std::move(socket);
        return;
      }
      std::array<char, INET_ADDRSTRLEN> text{};
      ::inet_ntop(AF_INET, &address, text.data(), text.size());
      reasons +=
          std::string(reasons.empty() ? "" : "; ") + text.data() + ": " + system_error_text(errno);
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

std::vector<FileDescriptor> meet_ranks(Rank self, Rank ranks, const GatherBytes& gather) {
  return Meeting(self, ranks, gather).take();
}

namespace {

[[noreturn]] void throw_gone(std::size_t rank) {
  throw Error(ErrorCode::InputOutput,
              "rank " + std::to_string(rank) + " has gone before the application ran");
}

/// The answer of rank 0 to a question for the time.
struct TimeAnswer {
  std::array<char, 40> boot{};
  std::array<char, 64> host{};
  std::int64_t steady_ns = 0;
};

TimeAnswer own_time() {
  TimeAnswer own;
  read_boot(own.boot);
  ::gethostname(own.host.data(), own.host.size() - 1);
  own.steady_ns = steady_now();
  return own;
}

bool share_clock(const TimeAnswer& a, const TimeAnswer& b) {
  return a.boot[0] != 0 && a.boot == b.boot && a.host == b.host;
}

constexpr int kTimesAsked = 8;
constexpr std::chrono::seconds kTimePatience{30};

void answer_times(const std::vector<FileDescriptor>& sockets) {
  TimeAnswer answer = own_time();
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
  const TimeAnswer own = own_time();
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
    if (share_clock(answer, own)) {
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
