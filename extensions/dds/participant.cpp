#include "dds/participant.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "gxr/error.hpp"

namespace gxr::dds {
namespace {

constexpr double kLargestPacket = 65500;
constexpr std::uint64_t kSmallestPacket = 1300;
constexpr std::chrono::milliseconds kShortestLease(10);

}  // namespace

void Participant::declare(Interface& interface) {
  interface.parameter(domain_, "domain", "Number of the domain: only those of the same one meet")
      .range(0, kLastDomain)
      .default_value(0);
  interface
      .parameter(peers_, "peers", "Addresses of machines on which others are looked for",
                 "Besides this machine, and besides those that multicast reaches: an address or a "
                 "name of a host, with ':PORT' if wanted.")
      .default_value({});
  interface
      .parameter(multicast_, "multicast", "Look for others by multicast, where the network has it")
      .default_value(true);
  interface
      .parameter(interfaces_, "interfaces", "Names or addresses of the network interfaces to use",
                 "As 'eth0', or 'lo' for this machine alone. Without any, Cyclone DDS takes the one "
                 "that suits best.")
      .default_value({});
  interface
      .parameter(lease_, "lease", "Time after which others count this application as gone",
                 "When it has ended without saying so. At least 10ms. 0: 10 s, or what CYCLONEDDS_URI says.")
      .default_value({});
  interface
      .parameter(largest_packet_, "largest_packet", "Bytes of the largest packet on the network",
                 "At least 1300 B. 0: 14720 B, or what CYCLONEDDS_URI says, but 65000 B with 'interfaces: [lo]'. Large ones carry pictures with less "
                 "work, and are lost as a whole when a network with short frames loses a part.")
      .range(0, kLargestPacket)
      .default_value({});
  interface
      .parameter(shared_memory_, "shared_memory",
                 "Do samples reach others on this machine in shared memory?",
                 "auto: gxr's own messages do, with others that say so, too, where iox-roudi, the "
                 "daemon of iceoryx, runs when the application begins.")
      .default_value(SharedMemory::Off);
  const auto file = [&](Parameter<FilePath>& member, const char* key, const char* headline) {
    interface.parameter(member, key, headline).optional();
  };
  file(identity_authority_, "identity_authority",
       "DDS Security: certificate of the authority that vouches for identities");
  file(identity_, "identity", "DDS Security: certificate of this application");
  file(private_key_, "private_key", "DDS Security: private key to 'identity'");
  file(permissions_authority_, "permissions_authority",
       "DDS Security: certificate of the authority that has signed the two files below");
  file(governance_, "governance", "DDS Security: what is protected in the domain, signed");
  file(permissions_, "permissions", "DDS Security: what this application may do, signed");
}

Security Participant::security() const {
  Security security;
  std::string missing;
  bool any = false;
  const auto take = [&](const Parameter<FilePath>& from, const char* key, std::string& to) {
    if (!from.try_get()) {
      missing = missing.empty() ? key : missing;
      return;
    }
    any = true;
    to = from.try_get()->path;
    std::error_code error;
    if (!std::filesystem::is_regular_file(to, error)) {
      throw Error(ErrorCode::NotFound, std::string("'") + key + "': there is no file " + to);
    }
  };
  take(identity_authority_, "identity_authority", security.identity_authority);
  take(identity_, "identity", security.identity);
  take(private_key_, "private_key", security.private_key);
  take(permissions_authority_, "permissions_authority", security.permissions_authority);
  take(governance_, "governance", security.governance);
  take(permissions_, "permissions", security.permissions);
  if (any && !missing.empty()) {
    throw Error(ErrorCode::InvalidParameter,
                "DDS Security needs all of its six files: '" + missing + "' is missing");
  }
  return security;
}

Membership Participant::membership() const {
  Membership membership;
  membership.domain = domain_.get();
  membership.peers = peers_.get();
  membership.multicast = multicast_.get();
  membership.interfaces = interfaces_.get();
  membership.lease = std::chrono::nanoseconds(lease_.get().nanoseconds);
  if (membership.lease.count() > 0 && membership.lease < kShortestLease) {
    throw Error(ErrorCode::InvalidParameter, "'lease' must be 0 or at least 10ms");
  }
  membership.largest_packet = largest_packet_.get().bytes;
  if (membership.largest_packet > 0 && membership.largest_packet < kSmallestPacket) {
    throw Error(ErrorCode::InvalidParameter, "'largest_packet' must be 0 or at least 1300B");
  }
  membership.security = security();
  membership.shares_memory = shared_memory_.get() == SharedMemory::Auto;
  if (membership.shares_memory && !(membership.security == Security{})) {
    throw Error(ErrorCode::InvalidParameter,
                "'shared_memory: auto' cannot stand beside the files of DDS Security: samples in "
                "shared memory are not protected");
  }
  membership.name = "gxr";
  return membership;
}

void Participant::initialize() { static_cast<void>(membership()); }

}  // namespace gxr::dds
