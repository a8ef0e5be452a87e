#include "dds/cyclone/configuration.hpp"

#include <algorithm>
#include <string_view>

namespace gxr::dds {
namespace {

/// Processes on one machine that find each other without multicast.
constexpr int kMostParticipants = 99;
/// Bytes of the samples of a writer that its readers do not have yet, before it waits. Its history
/// bounds them otherwise.
constexpr const char* kMostUnacknowledged = "1GiB";
/// Its frames are as long.
constexpr std::uint64_t kLargestOnLoopback = 65000;
/// As much as the system allows: a picture comes as a burst.
constexpr const char* kReceiveBuffer = "8MiB";

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&apos;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string element(const std::string& name, const std::string& content) {
  return "<" + name + ">" + content + "</" + name + ">";
}

std::string piece(const std::string& content) {
  return "<CycloneDDS><Domain Id=\"any\">" + content + "</Domain></CycloneDDS>";
}

/// It cannot have multicast, of which Cyclone DDS would warn.
bool is_loopback(const std::string& interface) {
  return interface == "lo" || interface.starts_with("127.") || interface == "::1";
}

std::string peer(const std::string& address) {
  return "<Peer Address=\"" + escaped(address) + "\"/>";
}

std::string defaults() {
  return piece(
      element("Discovery",
              element("ParticipantIndex", "auto") +
                  element("MaxAutoParticipantIndex", std::to_string(kMostParticipants)) +
                  element("Peers", peer("127.0.0.1"))) +
      element("Internal", element("Watermarks", element("WhcHigh", kMostUnacknowledged) +
                                                    element("WhcHighInit", kMostUnacknowledged) +
                                                    element("WhcAdaptive", "false")) +
                              std::string("<SocketReceiveBufferSize max=\"") + kReceiveBuffer +
                              "\"/>"));
}

std::string shared_memory([[maybe_unused]] bool is_wanted) {
#ifdef DDS_HAS_SHM
  // iceoryx writes to the terminal by itself.
  return element("SharedMemory",
                 element("Enable", is_wanted ? "true" : "false") + element("LogLevel", "off"));
#else
  return {};  // the library does not know the element
#endif
}

std::string wishes(const Membership& membership) {
  std::string general;
  std::string discovery;
  if (!membership.interfaces.empty()) {
    std::string interfaces;
    for (const std::string& name : membership.interfaces) {
      const bool is_address = name.find_first_not_of("0123456789.") == std::string::npos ||
                              name.find(':') != std::string::npos;
      interfaces += std::string("<NetworkInterface ") + (is_address ? "address" : "name") + "=\"" +
                    escaped(name) + "\"/>";
    }
    general += element("Interfaces", interfaces);
  }
  const bool stays_here =
      !membership.interfaces.empty() && std::ranges::all_of(membership.interfaces, is_loopback);
  if (!membership.multicast || stays_here) {
    general += element("AllowMulticast", "false");
  }
  const std::uint64_t by_default = stays_here ? kLargestOnLoopback : 0;
  const std::uint64_t largest =
      membership.largest_packet > 0 ? membership.largest_packet : by_default;
  if (largest > 0) {
    const std::string bytes = std::to_string(largest) + "B";
    general += element("MaxMessageSize", bytes) + element("FragmentSize", bytes);
  }
  std::string peers;
  for (const std::string& address : membership.peers) {
    peers += peer(address);
  }
  if (!peers.empty()) {
    discovery += element("Peers", peers);
  }
  if (membership.lease.count() > 0) {
    discovery += element("LeaseDuration", std::to_string(membership.lease.count()) + "ns");
  }
  return piece((general.empty() ? "" : element("General", general)) +
               (discovery.empty() ? "" : element("Discovery", discovery)) +
               shared_memory(membership.shares_memory));
}

}  // namespace

std::string configuration(const Membership& membership, const std::string& user) {
  return defaults() + "," + (user.empty() ? "" : user + ",") + wishes(membership);
}

}  // namespace gxr::dds
