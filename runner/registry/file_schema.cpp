#include "registry/file_schema.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <nlohmann/json.hpp>

#include "registry/parameter_schema.hpp"
#include "registry/short_ports.hpp"

namespace gxr {
namespace {

using Json = nlohmann::ordered_json;

Json root(const char* title, const char* command) {
  return {{"$schema", "http://json-schema.org/draft-07/schema#"},
          {"$comment", std::string("Written by 'gxr schema ") + command + "'."},
          {"title", title}};
}

std::string finish(const Json& schema) {
  return schema.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json text(const char* description) {
  return {{"description", description}, {"type", {"string", "number", "boolean"}}};
}

Json list_of(const char* description, Json items) {
  return {{"description", description}, {"type", {"array", "null"}}, {"items", std::move(items)}};
}

Json anything(const char* description) { return {{"description", description}}; }

// --- components --------------------------------------------------------------------------------

std::vector<const TypeInfo*> usable_types(const TypeCatalog& catalog) {
  std::vector<const TypeInfo*> types = catalog.types();
  types.erase(
      std::remove_if(types.begin(), types.end(),
                     [](const TypeInfo* type) { return type->abstract || !type->component; }),
      types.end());
  return types;
}

Json parameters_of(const TypeInfo& type) {
  Json schema{{"description", type.description.empty() ? type.headline
                                                       : type.headline + "\n\n" + type.description},
              {"type", "object"},
              {"additionalProperties", false},
              {"properties", Json::object()}};
  for (const ParameterInfo& parameter : type.parameters) {
    schema["properties"][parameter.key] = parameter_schema(parameter);
  }
  return schema;
}

std::vector<std::string> all_names(const TypeInfo& type) {
  std::vector<std::string> names{type.name};
  names.insert(names.end(), type.aliases.begin(), type.aliases.end());
  return names;
}

/// All names that `type:` may have, each with its type's headline.
Json type_names(const std::vector<const TypeInfo*>& types) {
  std::map<std::string, std::string> headlines;
  for (const TypeInfo* type : types) {
    for (const std::string& name : all_names(*type)) {
      headlines.emplace(name, type->headline);
    }
  }
  Json schema{{"description", "Type of the component."},
              {"enum", Json::array()},
              {"enumDescriptions", Json::array()}};
  for (const auto& [name, headline] : headlines) {
    schema["enum"].push_back(name);
    schema["enumDescriptions"].push_back(headline);
  }
  return schema;
}

Json when_type(const TypeInfo& type) {
  return {{"if", {{"required", {"type"}}, {"properties", {{"type", {{"enum", all_names(type)}}}}}}},
          {"then", {{"properties", {{"parameters", {{"$ref", "#/definitions/" + type.name}}}}}}}};
}

Json component_schema(const std::vector<const TypeInfo*>& types) {
  Json schema{
      {"description", "A component of the entity; without a type, parameters for one that exists."},
      {"type", "object"},
      {"additionalProperties", false},
      {"properties",
       {{"name", text("Name by which handles and parameters refer to the component.")},
        {"type", type_names(types)},
        {"parameters",
         {{"description", "Values of the component's parameters."}, {"type", "object"}}},
        {"ui_property", anything("For graph editors; means nothing to a run.")}}},
      {"anyOf", {{{"required", {"type"}}}, {{"required", {"name"}}}}},
      {"allOf", Json::array()}};
  for (const TypeInfo* type : types) {
    schema["allOf"].push_back(when_type(*type));
  }
  return schema;
}

// --- documents ---------------------------------------------------------------------------------

Json named_target(const char* description, Json target) {
  return {{"description", description},
          {"type", "object"},
          {"additionalProperties", false},
          {"required", {"name", "target"}},
          {"properties", {{"name", text("Its name.")}, {"target", std::move(target)}}}};
}

Json entity_names(const char* description) {
  return list_of(description, text("Name of an entity."));
}

Json document_properties() {
  Json properties;
  properties["name"] = text("Name of the entity. Documents of the same name make one entity.");
  properties["components"] =
      list_of("Components of the entity.", {{"$ref", "#/definitions/component"}});
  properties["extensions"] =
      list_of("Extension libraries to use, relative to this file.", {{"type", "string"}});
  properties["on_failure"] = {
      {"description", "What follows when a tick of the entity fails; else the run fails."},
      {"type", "object"},
      {"additionalProperties", false},
      {"required", {"restart"}},
      {"properties",
       {{"restart",
         {{"description", "Its codelet is made anew."},
          {"type", {"object", "null"}},
          {"additionalProperties", false},
          {"properties",
           {{"limit",
             {{"description", "How often in the window at most; behind that, the run fails."},
              {"type", "integer"},
              {"minimum", 1}}},
            {"window", text("Time in which restarts count, as 60s.")},
            {"delay", text("Time before it is made anew, as 1s.")}}}}}}}};
  properties["deadline"] = {
      {"description", "How long ticks of the entity may take, and how old the data may be."},
      {"type", "object"},
      {"additionalProperties", false},
      {"minProperties", 1},
      {"properties",
       {{"tick", text("Time that a tick may take, as 5ms.")},
        {"age",
         {{"description", "Age of the data that a tick takes; or a map from sources to ages."},
          {"type", {"string", "integer", "object"}},
          {"additionalProperties", {{"type", {"string", "integer"}}}}}},
        {"on_miss",
         {{"description", "What follows when a deadline is missed."},
          {"enum", {"count", "fail"}}}}}}};
  properties["rank"] = {
      {"description", "Process that runs the entity when several run the application together."},
      {"type", "integer"},
      {"minimum", 0}};
  properties["start_order"] =
      entity_names("Entities in the order in which to create and start them.");
  properties["EntityGroups"] =
      list_of("Groups of entities that share resources.",
              named_target("A group.", entity_names("Entities of the group.")));
  properties["interfaces"] =
      list_of("Names that a subgraph file offers to the file that includes it.",
              named_target("A name.", text("The component behind it: entity/component.")));
  properties["prerequisites"] =
      anything("Components that a subgraph file expects from the file that includes it.");
  for (const char* foreign :
       {"dependencies", "ui_property", "application", "segment_config", "version"}) {
    properties[foreign] = anything("For other tools; means nothing to a run.");
  }
  return properties;
}

// --- the short form ----------------------------------------------------------------------------

/// The parameter of a type, or anything if the catalog does not have it.
Json value_of(const TypeCatalog& catalog, const char* type, const char* key,
              const char* description) {
  const TypeInfo* const found = catalog.find(type);
  for (const ParameterInfo& parameter :
       found == nullptr ? std::vector<ParameterInfo>{} : found->parameters) {
    if (parameter.key == key) {
      Json schema = value_schema(parameter);
      schema["description"] = description;
      return schema;
    }
  }
  return anything(description);
}

/// What an input is connected to.
Json sources(const std::string& description) {
  const Json name{{"type", {"string", "number", "boolean"}}};
  return {{"description", description}, {"anyOf", {name, {{"type", "array"}, {"items", name}}}}};
}

const std::string& headline_of(const TypeInfo& type, std::string_view key) {
  return std::ranges::find(type.parameters, key, &ParameterInfo::key)->headline;
}

Json settings_of_port() { return {{"$ref", "#/definitions/port"}}; }

Json port_definition(const TypeCatalog& catalog) {
  const char* const queue = "gxr::DoubleBufferReceiver";
  return {{"description", "Settings of the port's queue and of its scheduling term."},
          {"type", {"object", "null"}},
          {"additionalProperties", false},
          {"properties",
           {{"capacity", value_of(catalog, queue, "capacity",
                                  "Messages that each of the queue's two stages can hold.")},
            {"policy", value_of(catalog, queue, "policy",
                                "What happens to a message for which there is no room.")},
            {"min_size", value_of(catalog, "gxr::MessageAvailableSchedulingTerm", "min_size",
                                  "Messages, or room for messages, that a tick waits for.")}}}};
}

/// A document with this operator.
Json when_operator(const TypeInfo& type, const TypeCatalog& catalog) {
  const ShortPorts ports = short_ports(type, catalog);
  Json inputs = Json::object();
  Json all = Json::object();
  for (const ShortPort& port : ports.ports) {
    if (port.direction == PortInfo::Direction::Input) {
      inputs[std::string(port.key)] = sources(headline_of(type, port.key));
    }
    all[std::string(port.key)] = settings_of_port();
  }
  Json inputs_schema{{"properties", std::move(inputs)}};
  inputs_schema["additionalProperties"] =
      ports.open_inputs ? sources("An input of any name.") : Json(false);
  Json ports_schema{{"properties", std::move(all)}};
  ports_schema["additionalProperties"] =
      ports.open_inputs || ports.has_free_outputs() ? settings_of_port() : Json(false);
  return {
      {"if",
       {{"required", {"operator"}}, {"properties", {{"operator", {{"enum", all_names(type)}}}}}}},
      {"then",
       {{"properties",
         {{"parameters", {{"$ref", "#/definitions/" + type.name}}},
          {"inputs", std::move(inputs_schema)},
          {"ports", std::move(ports_schema)}}}}}};
}

std::vector<const TypeInfo*> codelets(const TypeCatalog& catalog) {
  std::vector<const TypeInfo*> types = usable_types(catalog);
  std::erase_if(types, [&](const TypeInfo* type) { return !catalog.is_a(*type, "gxr::Codelet"); });
  return types;
}

/// The keys of documents with `operator`, and what they hold for each type.
void add_short_form(const TypeCatalog& catalog, Json& schema) {
  const std::vector<const TypeInfo*> types = codelets(catalog);
  Json& properties = schema["properties"];
  properties["operator"] = type_names(types);
  properties["operator"]["description"] =
      "Type of the entity's codelet: the short form, in the place of 'components'.";
  properties["parameters"] = {{"description", "Values of the operator's parameters."},
                              {"type", "object"}};
  properties["inputs"] = {
      {"description", "For each input, the entity, or entity/output, that it reads."},
      {"type", "object"}};
  properties["ports"] = {{"description", "Settings of queues that are not the usual ones."},
                         {"type", "object"}};
  properties["count"] = value_of(catalog, "gxr::CountSchedulingTerm", "count",
                                 "Ticks after which the entity has finished.");
  properties["period"] = value_of(catalog, "gxr::PeriodicSchedulingTerm", "recess_period",
                                  "Time from one tick to the next: 33ms, 30Hz.");
  properties["terms"] = list_of("More components, as a rule scheduling terms.",
                                {{"$ref", "#/definitions/component"}});
  Json needs;
  needs["operator"] = {{"not", {{"required", {"components"}}}}};
  for (const char* key : {"parameters", "inputs", "ports", "count", "period", "terms"}) {
    needs[key] = {"operator"};
  }
  schema["dependencies"] = std::move(needs);
  schema["allOf"] = Json::array();
  for (const TypeInfo* type : types) {
    schema["allOf"].push_back(when_operator(*type, catalog));
  }
}

Json definitions(const TypeCatalog& catalog) {
  const std::vector<const TypeInfo*> types = usable_types(catalog);
  Json all{{"component", component_schema(types)}, {"port", port_definition(catalog)}};
  for (const TypeInfo* type : types) {
    all[type->name] = parameters_of(*type);
  }
  return all;
}

// --- parameter files ---------------------------------------------------------------------------

/// A key in a regular expression.
std::string escape(const std::string& key) {
  std::string escaped;
  for (const char c : key) {
    escaped += std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos ? "\\" : "";
    escaped += c;
  }
  return escaped;
}

/// What a key may hold whose parameter has this name in some types: any of their schemas.
Json alternatives(const std::vector<const ParameterInfo*>& parameters) {
  Json values = Json::array();
  for (const ParameterInfo* parameter : parameters) {
    Json schema = value_schema(*parameter);
    if (std::find(values.begin(), values.end(), schema) == values.end()) {
      values.push_back(std::move(schema));
    }
  }
  if (parameters.size() == 1) {
    return parameter_schema(*parameters.front());
  }
  Json schema = values.size() == 1 ? values.front() : Json{{"anyOf", values}};
  schema["description"] = parameters.front()->headline;
  return schema;
}

Json parameter_patterns(const TypeCatalog& catalog) {
  std::map<std::string, std::vector<const ParameterInfo*>> by_key;
  for (const TypeInfo* type : usable_types(catalog)) {
    for (const ParameterInfo& parameter : type->parameters) {
      by_key[parameter.key].push_back(&parameter);
    }
  }
  Json patterns = Json::object();
  for (const auto& [key, parameters] : by_key) {
    patterns["^[^/]*/([^/]+/)?" + escape(key) + "$"] = alternatives(parameters);
  }
  return patterns;
}

/// An entry of a GXF parameter file names a component and gives it values, of whatever type it is.
Json named_component() {
  return {{"type", "object"},
          {"additionalProperties", false},
          {"required", {"name"}},
          {"properties",
           {{"name", text("Name of an existing component.")},
            {"parameters", {{"description", "Values of its parameters."}, {"type", "object"}}}}}};
}

}  // namespace

std::string app_schema(const TypeCatalog& catalog) {
  Json schema = root("gxr application (one YAML document)", "app");
  schema["type"] = {"object", "null"};
  schema["additionalProperties"] = false;
  schema["properties"] = document_properties();
  add_short_form(catalog, schema);
  schema["definitions"] = definitions(catalog);
  return finish(schema);
}

std::string parameters_schema(const TypeCatalog& catalog) {
  Json schema = root("gxr parameter file (one YAML document)", "parameters");
  schema["type"] = {"object", "null"};
  schema["additionalProperties"] = false;
  schema["properties"]["name"] = text("Name of the entity whose components follow.");
  schema["properties"]["components"] = list_of("Components of the entity.", named_component());
  schema["patternProperties"] = parameter_patterns(catalog);
  return finish(schema);
}

std::string manifest_schema() {
  Json schema = root("gxr manifest", "manifest");
  schema["type"] = {"object", "null"};
  schema["properties"]["extensions"] = list_of(
      "Extension libraries to use: as given, relative to this file, or by name in LD_LIBRARY_PATH "
      "and "
      "GXR_EXTENSION_PATH.",
      {{"type", "string"}});
  schema["additionalProperties"] = false;
  return finish(schema);
}

}  // namespace gxr
