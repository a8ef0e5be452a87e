#include "registry/short_ports.hpp"

#include <algorithm>

namespace gxr {
namespace {

using Direction = PortInfo::Direction;

class Reader {
 public:
  explicit Reader(const TypeCatalog& catalog) : catalog_(catalog) {}

  void read(const ParameterInfo& parameter, std::string_view all_receivers, ShortPorts& ports) {
    const ParameterType& type = parameter.type;
    const bool list =
        type.kind == ParameterType::Kind::List || type.kind == ParameterType::Kind::Array;
    const ParameterType& handle = list ? type.of.front() : type;
    if (handle.kind != ParameterType::Kind::Handle) {
      return;
    }
    const bool optional = parameter.optional || parameter.default_value.has_value();
    const bool receiver = leads_to(handle.name, "gxr::Receiver", "gxr::DoubleBufferReceiver");
    if (receiver || leads_to(handle.name, "gxr::Transmitter", "gxr::DoubleBufferTransmitter")) {
      const Direction direction = receiver ? Direction::Input : Direction::Output;
      if (!list) {
        ports.ports.push_back({parameter.key, direction, optional});
      } else if (parameter.key != all_receivers) {
        (receiver ? ports.receivers : ports.transmitters) = parameter.key;
      }
    } else if (const std::string_view end = end_for(handle.name);
               !list && ports.end.empty() && !end.empty()) {
      ports.end = parameter.key;
      ports.end_type = end;
    } else if (!list && !optional &&
               leads_to(handle.name, "gxr::Allocator", "gxr::UnboundedAllocator")) {
      ports.allocators.emplace_back(parameter.key);
    }
  }

 private:
  /// The term that ends an entity, if a handle of this type names it; else empty.
  [[nodiscard]] std::string_view end_for(std::string_view name) const {
    for (const std::string_view term :
         {"gxr::BooleanSchedulingTerm", "gxr::AsynchronousSchedulingTerm"}) {
      if (is_a(name, term)) {
        return term;
      }
    }
    return {};
  }
  [[nodiscard]] bool is_a(std::string_view name, std::string_view base) const {
    const TypeInfo* const type = catalog_.find(name);
    return type != nullptr && catalog_.is_a(*type, base);
  }
  /// A handle to a `base` that a component of the type `made` serves.
  [[nodiscard]] bool leads_to(std::string_view name, std::string_view base,
                              std::string_view made) const {
    return is_a(name, base) && is_a(made, name);
  }

  const TypeCatalog& catalog_;
};

}  // namespace

const ShortPort* ShortPorts::find(std::string_view key) const noexcept {
  const auto found = std::ranges::find(ports, key, &ShortPort::key);
  return found == ports.end() ? nullptr : &*found;
}

std::vector<std::string_view> ShortPorts::keys(Direction direction) const {
  std::vector<std::string_view> found;
  for (const ShortPort& port : ports) {
    if (port.direction == direction) {
      found.push_back(port.key);
    }
  }
  return found;
}

ShortPorts short_ports(const TypeInfo& type, const TypeCatalog& catalog) {
  ShortPorts ports;
  const Capability* const all = type.find(Capability::Kind::TakesAllMessages);
  Reader reader(catalog);
  for (const ParameterInfo& parameter : type.parameters) {
    reader.read(parameter, all == nullptr ? std::string_view{} : all->key(0), ports);
  }
  ports.open_inputs = all != nullptr || !ports.receivers.empty();
  const bool passes = type.find(Capability::Kind::PassesMessages) != nullptr ||
                      type.find(Capability::Kind::PassesEachMessage) != nullptr;
  ports.open_outputs =
      passes && ports.transmitters.empty() && ports.keys(Direction::Output).empty();
  return ports;
}

}  // namespace gxr
