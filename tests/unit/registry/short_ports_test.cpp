#include "registry/short_ports.hpp"

#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"

using namespace gxr;

namespace {

using Kind = ParameterType::Kind;

TypeInfo type_of(std::string name, std::string base) {
  TypeInfo type;
  type.name = std::move(name);
  type.base = std::move(base);
  return type;
}

ParameterInfo handle(std::string key, std::string to, bool optional = false, bool list = false) {
  ParameterInfo info;
  info.key = std::move(key);
  info.type = {Kind::Handle, std::move(to), {}, 0, {}};
  if (list) {
    info.type = {Kind::List, {}, {info.type}, 0, {}};
  }
  info.optional = optional;
  return info;
}

/// The types that the short form makes, their bases, and a codelet with these parameters.
TypeCatalog catalog_with(std::vector<ParameterInfo> parameters,
                         std::vector<Capability> capabilities = {}) {
  std::vector<TypeInfo> types{type_of("gxr::Receiver", ""),
                              type_of("gxr::Transmitter", ""),
                              type_of("gxr::Allocator", ""),
                              type_of("gxr::Codelet", ""),
                              type_of("gxr::DoubleBufferReceiver", "gxr::Receiver"),
                              type_of("gxr::DoubleBufferTransmitter", "gxr::Transmitter"),
                              type_of("gxr::UnboundedAllocator", "gxr::Allocator"),
                              type_of("test::Pool", "gxr::Allocator"),
                              type_of("test::Remote", "gxr::Receiver"),
                              type_of("gxr::BooleanSchedulingTerm", ""),
                              type_of("gxr::AsynchronousSchedulingTerm", ""),
                              type_of("test::Codelet", "gxr::Codelet")};
  types.back().parameters = std::move(parameters);
  types.back().capabilities = std::move(capabilities);
  TypeCatalog catalog;
  catalog.add_types("test", std::move(types));
  return catalog;
}

ShortPorts ports_in(const TypeCatalog& catalog) {
  return short_ports(*catalog.find("test::Codelet"), catalog);
}

using Keys = std::vector<std::string_view>;

}  // namespace

TEST_CASE("Handles to plain queues are ports", "[short]") {
  const TypeCatalog catalog =
      catalog_with({handle("in", "gxr::Receiver"), handle("remote", "test::Remote"),
                    handle("out", "gxr::DoubleBufferTransmitter", true)});
  const ShortPorts ports = ports_in(catalog);
  CHECK(ports.keys(PortInfo::Direction::Input) == Keys{"in"});
  CHECK(ports.keys(PortInfo::Direction::Output) == Keys{"out"});
  CHECK_FALSE(ports.find("in")->optional);
  CHECK(ports.find("out")->optional);
  CHECK_FALSE(ports.open_inputs);
  CHECK_FALSE(ports.has_free_outputs());
}

TEST_CASE("Lists of queues have free names", "[short]") {
  const TypeCatalog catalog = catalog_with({handle("inputs", "gxr::Receiver", false, true),
                                            handle("outputs", "gxr::Transmitter", false, true)});
  const ShortPorts ports = ports_in(catalog);
  CHECK(ports.receivers == "inputs");
  CHECK(ports.transmitters == "outputs");
  CHECK(ports.open_inputs);
  CHECK(ports.has_free_outputs());
  CHECK_FALSE(ports.open_outputs);
}

TEST_CASE("Capabilities tell of ports without a parameter", "[short]") {
  const TypeCatalog gather = catalog_with(
      {handle("sink", "gxr::Transmitter"), handle("sources", "gxr::Receiver", true, true)},
      {{Capability::Kind::PassesMessages, {}, {}},
       {Capability::Kind::TakesAllMessages, {"sources"}, {}}});
  CHECK(ports_in(gather).open_inputs);
  CHECK(ports_in(gather).receivers.empty());
  CHECK_FALSE(ports_in(gather).open_outputs);
  const TypeCatalog broadcast = catalog_with({handle("source", "gxr::Receiver")},
                                             {{Capability::Kind::PassesEachMessage, {}, {}}});
  CHECK(ports_in(broadcast).open_outputs);
  CHECK_FALSE(ports_in(broadcast).open_inputs);
}

TEST_CASE("Mandatory allocators of any kind and the end of the entity are found", "[short]") {
  const TypeCatalog catalog =
      catalog_with({handle("pool", "gxr::Allocator"), handle("special", "test::Pool"),
                    handle("spare", "gxr::Allocator", true),
                    handle("last", "gxr::BooleanSchedulingTerm", true)});
  const ShortPorts ports = ports_in(catalog);
  CHECK(ports.allocators == Keys{"pool"});
  CHECK(ports.end == "last");
  CHECK(ports.end_type == "gxr::BooleanSchedulingTerm");
}

TEST_CASE("An asynchronous term ends an entity, too; the first parameter for one is taken",
          "[short]") {
  const TypeCatalog catalog =
      catalog_with({handle("all", "gxr::AsynchronousSchedulingTerm", false, true),
                    handle("event", "gxr::AsynchronousSchedulingTerm"),
                    handle("last", "gxr::BooleanSchedulingTerm")});
  const ShortPorts ports = ports_in(catalog);
  CHECK(ports.end == "event");
  CHECK(ports.end_type == "gxr::AsynchronousSchedulingTerm");
}
