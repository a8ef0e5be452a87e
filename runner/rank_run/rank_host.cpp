#include "rank_run/rank_host.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ipc/file_descriptor.hpp"

namespace gxr {
namespace {

template <class T>
HostAddress address_of(int family, const T& bytes) {
  HostAddress result;
  result.family = static_cast<std::uint16_t>(family);
  static_assert(sizeof(bytes) <= sizeof(result.bytes));
  std::memcpy(result.bytes.data(), &bytes, sizeof(bytes));
  return result;
}

/// Of an interface for other hosts.
void add_addresses(const ifaddrs* list, int family, RankHost& host) {
  for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != family ||
        (each->ifa_flags & IFF_UP) == 0 || (each->ifa_flags & IFF_LOOPBACK) != 0) {
      continue;
    }
    if (family == AF_INET) {
      sockaddr_in address{};
      std::memcpy(&address, each->ifa_addr, sizeof(address));
      host.add(address_of(family, address.sin_addr));
      continue;
    }
    sockaddr_in6 address{};
    std::memcpy(&address, each->ifa_addr, sizeof(address));
    // One of a link requires the name of the caller's interface to it.
    if (!IN6_IS_ADDR_LINKLOCAL(&address.sin6_addr)) {
      host.add(address_of(family, address.sin6_addr));
    }
  }
}

void read_boot(std::array<char, 40>& boot) {
  const FileDescriptor file(::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC));
  if (!file.is_open() || ::read(file.get(), boot.data(), boot.size() - 1) < 0) {
    boot.fill(0);
  }
}

}  // namespace

HostAddress HostAddress::loopback(int family) {
  return family == AF_INET6 ? address_of(family, in6addr_loopback)
                            : address_of(family, htonl(INADDR_LOOPBACK));
}

HostAddress HostAddress::any(int family) {
  return family == AF_INET6 ? address_of(family, in6addr_any)
                            : address_of(family, htonl(INADDR_ANY));
}

std::string HostAddress::text() const {
  std::array<char, INET6_ADDRSTRLEN> text{};
  ::inet_ntop(family, bytes.data(), text.data(), text.size());
  return text.data();
}

SocketAddress::SocketAddress(const HostAddress& address, std::uint16_t port) {
  if (address.family == AF_INET6) {
    sockaddr_in6 made{};
    made.sin6_family = AF_INET6;
    made.sin6_port = htons(port);
    std::memcpy(&made.sin6_addr, address.bytes.data(), sizeof(made.sin6_addr));
    std::memcpy(&storage_, &made, size_ = sizeof(made));
  } else {
    sockaddr_in made{};
    made.sin_family = AF_INET;
    made.sin_port = htons(port);
    std::memcpy(&made.sin_addr, address.bytes.data(), sizeof(made.sin_addr));
    std::memcpy(&storage_, &made, size_ = sizeof(made));
  }
}

RankHost RankHost::own() {
  RankHost host;
  ::gethostname(host.name.data(), host.name.size() - 1);
  read_boot(host.boot);
  struct stat network {};
  if (::stat("/proc/self/ns/net", &network) == 0) {
    host.network = network.st_ino;
  }
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) == 0) {
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(list, &::freeifaddrs);
    add_addresses(list, AF_INET, host);
    add_addresses(list, AF_INET6, host);
  }
  return host;
}

void RankHost::add(const HostAddress& another) {
  if (addresses < kMostAddresses) {
    address.at(addresses++) = another;
  }
}

}  // namespace gxr
