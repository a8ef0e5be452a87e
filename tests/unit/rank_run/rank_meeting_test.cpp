#include "rank_run/rank_meeting.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "catch.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

/// Gives each of several threads what all of them give, in rounds.
class Gathering {
 public:
  explicit Gathering(Rank ranks) : ranks_(ranks) {}

  std::vector<std::vector<std::byte>> gather(Rank rank, std::size_t round,
                                             std::span<const std::byte> own) {
    std::unique_lock lock(mutex_);
    std::map<Rank, std::vector<std::byte>>& given = rounds_[round];
    given[rank].assign(own.begin(), own.end());
    changed_.notify_all();
    changed_.wait_for(lock, std::chrono::minutes(1), [&] { return given.size() == ranks_; });
    std::vector<std::vector<std::byte>> all;
    for (const auto& [each, bytes] : given) {
      all.push_back(bytes);
    }
    return all;
  }

 private:
  const Rank ranks_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::map<std::size_t, std::map<Rank, std::vector<std::byte>>> rounds_;
};

struct Met {
  std::vector<FileDescriptor> sockets;
  std::string failure;
};

/// What ranks on these hosts, each on a thread of this process, get from meet_ranks().
std::vector<Met> meet(const std::vector<RankHost>& hosts) {
  const auto ranks = static_cast<Rank>(hosts.size());
  Gathering gathering(ranks);
  std::vector<Met> met(ranks);
  std::vector<std::thread> threads;
  for (Rank rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      std::size_t round = 0;
      const auto gather = [&](std::span<const std::byte> own) {
        return gathering.gather(rank, round++, own);
      };
      try {
        met[rank].sockets = meet_ranks(rank, ranks, gather, hosts[rank]);
      } catch (const Error& error) {
        met[rank].failure = error.message();
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  return met;
}

/// Does every rank have a socket of this family to each other one?
bool are_joined(const std::vector<Met>& met, int family) {
  for (std::size_t a = 0; a < met.size(); ++a) {
    for (std::size_t b = 0; b < met.size(); ++b) {
      sockaddr_storage peer{};
      socklen_t size = sizeof(peer);
      if (a != b && (met[a].sockets.size() != met.size() || !met[a].sockets[b].is_open() ||
                     ::getpeername(met[a].sockets[b].get(), reinterpret_cast<sockaddr*>(&peer),
                                   &size) != 0 ||
                     (a > b && peer.ss_family != family))) {  // whoever calls has the family
        return false;
      }
    }
  }
  return true;
}

RankHost host_of(const std::string& name, const std::vector<HostAddress>& addresses) {
  RankHost host = RankHost::own();
  host.name = {};
  std::memcpy(host.name.data(), name.data(), name.size());
  host.addresses = 0;
  for (const HostAddress& address : addresses) {
    host.add(address);
  }
  return host;
}

bool has_loopback(int family) {
  const FileDescriptor socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const SocketAddress address(HostAddress::loopback(family), 0);
  return socket.is_open() && ::bind(socket.get(), address.get(), address.size()) == 0;
}

/// Calls `test` on a thread that has a network of its own, in which the loopback has IPv6 alone.
/// False: the system does not allow that.
template <class F>
bool call_without_ipv4(const F& test) {
  bool called = false;
  std::thread thread([&] {
    if (::unshare(CLONE_NEWNET) != 0) {
      return;
    }
    const FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    ifreq request{};
    std::strcpy(request.ifr_name, "lo");
    request.ifr_flags = IFF_UP;
    const bool is_up = ::ioctl(socket.get(), SIOCSIFFLAGS, &request) == 0;
    const sockaddr_in none{AF_INET, 0, {INADDR_ANY}, {}};
    std::memcpy(&request.ifr_addr, &none, sizeof(none));
    if (is_up && ::ioctl(socket.get(), SIOCSIFADDR, &request) == 0 && !has_loopback(AF_INET) &&
        has_loopback(AF_INET6)) {
      test();
      called = true;
    }
  });
  thread.join();
  return called;
}

TEST_CASE("addresses have the usual text", "[rank_run]") {
  CHECK(HostAddress::loopback(AF_INET).text() == "127.0.0.1");
  CHECK(HostAddress::loopback(AF_INET6).text() == "::1");
  CHECK(HostAddress::any(AF_INET).text() == "0.0.0.0");
  CHECK(HostAddress::any(AF_INET6).text() == "::");
  const SocketAddress address(HostAddress::loopback(AF_INET6), 80);
  CHECK(address.get()->sa_family == AF_INET6);
  CHECK(address.size() == sizeof(sockaddr_in6));
}

TEST_CASE("ranks of one host meet on its loopback", "[rank_run]") {
  CHECK(are_joined(meet(std::vector(4, RankHost::own())), AF_INET));
}

TEST_CASE("ranks of one host meet on a loopback that has IPv6 alone", "[rank_run]") {
  bool joined = false;
  const bool called = call_without_ipv4(
      [&] { joined = are_joined(meet(std::vector(3, RankHost::own())), AF_INET6); });
  if (called) {
    CHECK(joined);
  } else {
    WARN("skipped: there is no network without IPv4 here");
  }
}

TEST_CASE("ranks of several hosts meet by IPv4 or IPv6", "[rank_run]") {
  for (const int family : {AF_INET, AF_INET6}) {
    if (!has_loopback(family)) {
      WARN("skipped: this host has no " << HostAddress::loopback(family).text());
      continue;
    }
    const std::vector<HostAddress> own{HostAddress::loopback(family)};
    const std::vector<Met> met = meet({host_of("a", own), host_of("b", own), host_of("c", own)});
    CHECK(are_joined(met, family));
    CHECK(std::ranges::all_of(met, [](const Met& each) { return each.failure.empty(); }));
  }
}

TEST_CASE("ranks try the next address when one does not lead to the host", "[rank_run]") {
  HostAddress nowhere = HostAddress::loopback(AF_INET);
  nowhere.bytes[0] = 0;  // 0.0.0.1 is no host
  const std::vector<HostAddress> own{nowhere, HostAddress::loopback(AF_INET)};
  CHECK(are_joined(meet({host_of("a", own), host_of("b", own)}), AF_INET));
}

TEST_CASE("a host without an address is named", "[rank_run]") {
  const std::vector<Met> met = meet({host_of("a", {}), host_of("b", {})});
  CHECK(met[1].failure == "rank 1 (b) does not reach rank 0 (a): its host has no address");
}

TEST_CASE("ranks tell each other whether they are ready", "[rank_run]") {
  constexpr Rank kRanks = 4;
  const std::vector<Met> met = meet(std::vector(kRanks, RankHost::own()));
  std::array<std::vector<RankReadiness>, kRanks> known;
  std::vector<std::thread> threads;
  for (Rank rank = 0; rank < kRanks; ++rank) {
    threads.emplace_back([&, rank] {
      known.at(rank) = exchange_readiness(rank, met[rank].sockets, {rank == 2 ? 3 : 0, 77});
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const auto& all : known) {
    REQUIRE(all.size() == kRanks);
    CHECK(all[0].exit_code == 0);
    CHECK(all[2].exit_code == 3);
    CHECK(all[3].application == 77);
  }
}

TEST_CASE("a rank that goes before the run is noticed", "[rank_run]") {
  std::array<int, 2> pair{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) == 0);
  std::vector<FileDescriptor> sockets(2);
  sockets[1] = FileDescriptor(pair[0]);
  { const FileDescriptor closed(pair[1]); }
  CHECK_THROWS_AS(exchange_readiness(0, sockets, {}), Error);
}

}  // namespace
}  // namespace gxr
