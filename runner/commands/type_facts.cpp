#include "commands/type_facts.hpp"

#include <algorithm>

#include "document/choice_words.hpp"
#include "registry/capabilities.hpp"

namespace gxr::commands {
namespace {

/// Choices of an enumeration belong to its type, also inside a list.
const std::vector<Choice>& choices_of_type(const ParameterType& type) {
  return type.choices.empty() && !type.of.empty() ? choices_of_type(type.of.back()) : type.choices;
}

}  // namespace

const std::vector<Choice>& choices_of(const ParameterInfo& parameter) {
  return parameter.choices.empty() ? choices_of_type(parameter.type) : parameter.choices;
}

std::string spellings(const Choice& choice) {
  const std::string_view word = word_of(choice);
  return word.empty() ? choice.name : choice.name + ", " + std::string(word);
}

const PortInfo* port_of(const TypeInfo& type, const std::string& key) {
  const auto found = std::find_if(type.ports.begin(), type.ports.end(),
                                  [&](const PortInfo& port) { return port.key == key; });
  return found == type.ports.end() ? nullptr : &*found;
}

std::vector<std::string> bases_of(const TypeCatalog& catalog, const TypeInfo& type) {
  std::vector<std::string> bases;
  const TypeInfo* at = &type;
  while (at != nullptr && !at->base.empty() &&
         std::find(bases.begin(), bases.end(), at->base) == bases.end()) {
    bases.push_back(at->base);
    at = catalog.find(at->base);
  }
  return bases;
}

std::string kind_of(const TypeInfo& type) {
  if (!type.component) {
    return "data type, travels in messages";
  }
  if (type.abstract) {
    return "base type, cannot be used itself";
  }
  std::string kind = type.capturable ? "capturable: can be a part of a CUDA graph" : "";
  for (const Capability& capability : type.capabilities) {
    if (!type.capturable || capability.kind != Capability::Kind::TellsShapes) {
      kind += (kind.empty() ? "" : "; ") + describe_capability(capability);
    }
  }
  return kind;
}

std::vector<const TypeInfo*> sorted_types(const ExtensionFile& file) {
  std::vector<const TypeInfo*> types;
  for (const TypeInfo& type : file.types) {
    if (!type.name.empty()) {  // else it could not be read
      types.push_back(&type);
    }
  }
  std::sort(types.begin(), types.end(),
            [](const auto* a, const auto* b) { return a->name < b->name; });
  return types;
}

}  // namespace gxr::commands
