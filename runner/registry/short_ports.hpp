#pragma once

#include <string_view>
#include <vector>

#include "gxr/type_info.hpp"
#include "internal_api.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// A parameter of a codelet that names one plain queue.
struct ShortPort {
  std::string_view key;
  PortInfo::Direction direction = PortInfo::Direction::Input;
  bool optional = false;  ///< may stay without a queue
};

/// What a codelet's type tells the short form of applications.
struct ShortPorts {
  std::vector<ShortPort> ports;  ///< in the order of the declaration
  /// Parameters that list queues, whose names are free; empty: there is none that has to be set.
  std::string_view receivers;
  std::string_view transmitters;
  bool open_inputs = false;  ///< names of receivers are free
  /// Names of transmitters are free, and each consumer gets one: of a codelet that sends to all
  /// transmitters of its entity.
  bool open_outputs = false;
  /// The parameter for a Boolean or an asynchronous term that ends the entity; may be empty.
  std::string_view end;
  std::string_view end_type;                 ///< that term's type
  std::vector<std::string_view> allocators;  ///< parameters that need an allocator of any kind

  [[nodiscard]] GXR_INTERNAL_API const ShortPort* find(std::string_view key) const noexcept;
  /// May transmitters have names that the type does not declare?
  [[nodiscard]] bool has_free_outputs() const noexcept {
    return open_outputs || !transmitters.empty();
  }
  /// Keys of declared ports of that direction.
  [[nodiscard]] GXR_INTERNAL_API std::vector<std::string_view> keys(
      PortInfo::Direction direction) const;
};

/// Read from the ports, parameters and capabilities that the type declares.
[[nodiscard]] GXR_INTERNAL_API ShortPorts short_ports(const TypeInfo& type,
                                                      const TypeCatalog& catalog);

}  // namespace gxr
