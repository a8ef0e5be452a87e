#include "commands/type_description.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "commands/text_layout.hpp"
#include "commands/type_facts.hpp"
#include "commands/type_table.hpp"
#include "document/choice_words.hpp"
#include "registry/parameter_text.hpp"
#include "registry/part_text.hpp"
#include "registry/short_ports.hpp"
#include "registry/type_json.hpp"

namespace gxr::commands {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kIndent = 2;
constexpr std::size_t kTextIndent = 6;

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() ? "" : std::string(separator)) + part;
  }
  return text;
}

std::string choices_text(const std::vector<Choice>& choices) {
  std::size_t widest = 0;
  for (const Choice& choice : choices) {
    widest = std::max(widest, spellings(choice).size());
  }
  std::string text;
  for (const Choice& choice : choices) {
    text += entry(spellings(choice), std::string(text_beside_word(choice)), kTextIndent + 2,
                  kTextIndent + 4 + widest);
  }
  return text.empty() ? text : std::string(kTextIndent, ' ') + "one of\n" + text;
}

/// The declared parts of a port's messages, a line each.
std::string parts_text(const PortInfo* port) {
  if (port == nullptr || port->parts.empty()) {
    return {};
  }
  std::string text;
  for (const PartInfo& part : port->parts) {
    text +=
        std::string(kTextIndent, ' ') + (part.alternative ? "or: " : "part: ") + spell(part) + "\n";
  }
  return port->other_parts ? text + std::string(kTextIndent, ' ') + "other parts may be there\n"
                           : text;
}

std::string parameter_text(const ParameterInfo& parameter, const PortInfo* port) {
  const std::string head = std::string(kIndent, ' ') + parameter.key + ": " + facts_of(parameter);
  // Wrapped lines of the facts stand under the text, not under the key.
  const std::string wrapped =
      entry(parameter.key + ":", facts_of(parameter), kIndent, parameter.key.size() + 4);
  return (head.size() <= kTextWidth ? head + "\n" : wrapped) +
         paragraph(parameter.headline, kTextIndent) +
         paragraph(parameter.description, kTextIndent) + choices_text(choices_of(parameter)) +
         parts_text(port);
}

template <class Selects>
std::string section(const char* title, const TypeInfo& type, Selects selects) {
  std::string text;
  for (const ParameterInfo& parameter : type.parameters) {
    const PortInfo* const port = port_of(type, parameter.key);
    if (selects(port)) {
      text += parameter_text(parameter, port);
    }
  }
  return text.empty() ? text : std::string("\n") + title + "\n" + text;
}

/// What the short form takes for queues whose names the type does not declare.
std::string free_names(const TypeCatalog& catalog, const TypeInfo& type) {
  if (type.abstract || !catalog.is_a(type, "gxr::Codelet")) {
    return {};
  }
  const ShortPorts ports = short_ports(type, catalog);
  std::string text;
  const auto add = [&](const char* key, const char* meaning) {
    text += std::string(kIndent, ' ') + key + "\n" + paragraph(meaning, kTextIndent);
  };
  if (ports.open_inputs) {
    add("inputs: {NAME: ENTITY, ...}", "A receiver for each name, which you choose");
  }
  if (!ports.transmitters.empty()) {
    add("ports: {NAME: {}, ...}", "A transmitter for each name, which you choose");
  } else if (ports.open_outputs) {
    add("inputs: {PORT: THIS}", "In other entities: a transmitter for each reader of this one");
  }
  return text.empty() ? text : "\nPorts with free names, in the short form\n" + text;
}

std::string fact(const char* name, const std::string& text) {
  return text.empty() ? text : entry(name, text, kIndent, 16);
}

/// The type as people write it; what that leaves out, the names of an enumeration, as choices.
Json parameter_as_json(const ParameterInfo& parameter, Json json) {
  json["type"] = to_string(parameter.type);
  if (parameter.choices.empty()) {
    for (const Choice& choice : choices_of(parameter)) {
      json["choices"].push_back({{"name", choice.name}});
    }
  }
  for (std::size_t i = 0; i < parameter.choices.size(); ++i) {
    if (const std::string_view word = word_of(parameter.choices[i]); !word.empty()) {
      json["choices"][i]["word"] = word;
    }
  }
  json["mandatory"] = !parameter.default_value && !parameter.optional;
  return json;
}

/// The line about its file; of a provider, whose name is in its title, none.
std::string place_of(const ExtensionFile& file) {
  return file.provided ? std::string() : fact("file", file.path.string());
}

}  // namespace

std::string title(const ExtensionFile& file) {
  return std::string(file.descriptor.name) + " " + file.descriptor.version;
}

std::string describe_type(const TypeCatalog& catalog, const TypeInfo& type) {
  using Direction = PortInfo::Direction;
  std::string text = type.name + "\n" + paragraph(type.headline, kIndent) + "\n";
  text += fact("kind", kind_of(type)) + fact("also named", join(type.aliases, ", "));
  text += fact("derived from", join(bases_of(catalog, type), ", "));
  if (const ExtensionFile* file = catalog.file_of(type)) {
    text += fact("extension", title(*file)) + place_of(*file);
  }
  if (!type.description.empty()) {
    text += "\n" + paragraph(type.description, kIndent);
  }
  text += section("Inputs", type, [](const PortInfo* p) {
    return p != nullptr && p->direction == Direction::Input;
  });
  text += section("Outputs", type, [](const PortInfo* p) {
    return p != nullptr && p->direction == Direction::Output;
  });
  text += free_names(catalog, type);
  text += section("Parameters", type, [](const PortInfo* p) { return p == nullptr; });
  return text;
}

nlohmann::ordered_json describe_type_as_json(const TypeCatalog& catalog, const TypeInfo& type) {
  Json json = to_json(type);
  json["bases"] = bases_of(catalog, type);
  json["extension"] = type.extension;
  if (const ExtensionFile* file = catalog.file_of(type); file != nullptr && !file->provided) {
    json["file"] = file->path.string();
  }
  for (std::size_t i = 0; i < type.parameters.size(); ++i) {
    json["parameters"][i] = parameter_as_json(type.parameters[i], json["parameters"][i]);
  }
  return json;
}

std::string describe_extension(const ExtensionFile& file) {
  const ExtensionDescriptor& d = file.descriptor;
  const auto* sdk = d.sdk_version;
  return title(file) + "\n" + paragraph(d.description, kIndent) + "\n" +
         fact("license", d.license) + place_of(file) +
         fact("built with", "gxr SDK " + std::to_string(sdk[0]) + "." + std::to_string(sdk[1]) +
                                "." + std::to_string(sdk[2]) + ", " + d.abi_tag) +
         "\nTypes\n" + type_table(sorted_types(file), kIndent);
}

nlohmann::ordered_json describe_extension_as_json(const ExtensionFile& file) {
  const ExtensionDescriptor& d = file.descriptor;
  Json json{{"name", d.name},
            {"version", d.version},
            {"license", d.license},
            {"description", d.description}};
  if (!file.provided) {
    json["file"] = file.path.string();
  }
  json["descriptor_version"] = d.descriptor_version;
  json["sdk_version"] = d.sdk_version;
  json["abi_tag"] = d.abi_tag;
  json["types"] = Json::array();
  for (const TypeInfo* type : sorted_types(file)) {
    json["types"].push_back(to_json(*type));
  }
  return json;
}

}  // namespace gxr::commands
