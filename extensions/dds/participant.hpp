#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dds/transport.hpp"
#include "gxr/component.hpp"
#include "gxr/interface.hpp"

namespace gxr::dds {

/// Ports of a higher one would not fit into 16 bits.
inline constexpr double kLastDomain = 230;

enum class SharedMemory : std::uint8_t { Off, Auto };

}  // namespace gxr::dds

namespace gxr {

template <>
struct EnumNames<dds::SharedMemory> {
  static constexpr std::pair<dds::SharedMemory, const char*> values[] = {
      {dds::SharedMemory::Off, "off"},
      {dds::SharedMemory::Auto, "auto"},
  };
};

}  // namespace gxr

namespace gxr::dds {

/// How an application takes part in a domain: which, how it finds others, and how it is secured.
class Participant final : public Component {
 public:
  void declare(Interface& interface) override;
  void initialize() override;

  /// From initialize() on.
  [[nodiscard]] Membership membership() const;

 private:
  [[nodiscard]] Security security() const;

  Parameter<std::int32_t> domain_;
  Parameter<std::vector<std::string>> peers_;
  Parameter<bool> multicast_;
  Parameter<std::vector<std::string>> interfaces_;
  Parameter<Duration> lease_;
  Parameter<ByteSize> largest_packet_;
  Parameter<SharedMemory> shared_memory_;
  Parameter<FilePath> identity_authority_;
  Parameter<FilePath> identity_;
  Parameter<FilePath> private_key_;
  Parameter<FilePath> permissions_authority_;
  Parameter<FilePath> governance_;
  Parameter<FilePath> permissions_;
};

}  // namespace gxr::dds
