#include "language/key_texts.hpp"

namespace gxr::language {
namespace {

constexpr KeyText kDocumentKeys[] = {
    {"name", "the entity's name"},
    {"operator", "the codelet that does the work; gxr makes its queues and terms"},
    {"components", "what the entity consists of"},
    {"extensions", "extension libraries to use"},
    {"interfaces", "names that a subgraph shows"},
    {"prerequisites", "components that a subgraph needs from outside"},
    {"EntityGroups", "entities that share resources"},
    {"start_order", "entities that start before others"},
    {"on_failure", "what follows when a tick fails"},
    {"deadline", "how long a tick may take, and how old its data may be"},
    {"rank", "the process that runs it when several run the application together"},
};
constexpr KeyText kShortDocumentKeys[] = {
    {"name", "the entity's name"},
    {"operator", "the codelet that does the work; gxr makes its queues and terms"},
    {"inputs", "where messages come from: port and entity"},
    {"parameters", "values of the operator's parameters"},
    {"ports", "what differs from the usual queues"},
    {"count", "how often it ticks at most"},
    {"period", "the time between two ticks, as 33ms or 30Hz"},
    {"terms", "further scheduling terms"},
    {"on_failure", "what follows when a tick fails"},
    {"deadline", "how long a tick may take, and how old its data may be"},
    {"rank", "the process that runs it when several run the application together"},
};
constexpr KeyText kPortKeys[] = {
    {"capacity", "messages that the queue holds"},
    {"min_size", "messages, or room for messages, that a tick waits for"},
    {"policy", "what happens to a message for which there is no room"},
};
constexpr KeyText kComponentKeys[] = {
    {"name", "the component's name"},
    {"type", "the component's type"},
    {"parameters", "values of the component's parameters"},
};
constexpr KeyText kInterfaceKeys[] = {
    {"name", "the name that the including entity shows"},
    {"target", "the component with that name, as 'entity/component'"},
};

}  // namespace

std::span<const KeyText> document_keys(bool is_short) {
  return is_short ? std::span<const KeyText>(kShortDocumentKeys)
                  : std::span<const KeyText>(kDocumentKeys);
}

std::span<const KeyText> component_keys() { return kComponentKeys; }
std::span<const KeyText> port_keys() { return kPortKeys; }
std::span<const KeyText> interface_keys() { return kInterfaceKeys; }

std::span<const KeyText> keys_at(const std::vector<std::string>& path, bool is_short) {
  if (path.empty()) {
    return document_keys(is_short);
  }
  if (path.size() != 2) {
    return {};
  }
  if (path[0] == "components" || path[0] == "terms") {
    return component_keys();
  }
  if (path[0] == "interfaces") {
    return interface_keys();
  }
  return path[0] == "ports" ? port_keys() : std::span<const KeyText>{};
}

}  // namespace gxr::language
