#include "language/hover.hpp"

#include "document/choice_words.hpp"
#include "registry/parameter_text.hpp"

namespace gxr::language {
namespace {

std::string paragraph(const std::string& text) { return text.empty() ? "" : "\n\n" + text; }

std::string text_of_type(const TypeInfo& type, const Analysis& analysis) {
  std::string text = "**" + type.name + "**" + paragraph(type.headline);
  text += type.description != type.headline ? paragraph(type.description) : "";
  for (const ParameterInfo& each : type.parameters) {
    text += &each == &type.parameters.front() ? "\n\n" : "\n";
    text += "- `" + each.key + "`: " + each.headline + " (" + facts_of(each) + ")";
  }
  if (const ExtensionFile* const file = analysis.catalog.file_of(type)) {
    text += paragraph("from " + file->path.filename().string());
  }
  return text;
}

std::string text_of_parameter(const ParameterInfo& parameter) {
  std::string text =
      "**" + parameter.key + "**: " + facts_of(parameter) + paragraph(parameter.headline);
  text += parameter.description != parameter.headline ? paragraph(parameter.description) : "";
  const auto& choices = parameter.choices.empty() ? parameter.type.choices : parameter.choices;
  for (const Choice& choice : choices) {
    const std::string_view word = word_of(choice);
    text += &choice == &choices.front() ? "\n\n" : "\n";
    text += "- `" + choice.name + "`" + (word.empty() ? "" : ", `" + std::string(word) + "`") +
            (choice.description.empty() ? "" : ": " + std::string(text_beside_word(choice)));
  }
  return text;
}

/// The components of an entity.
std::string text_of_entity(const GraphEntity& entity, const Graph& graph) {
  std::string text = "**" + entity.name + "**";
  for (const ComponentId id : entity.components) {
    const GraphComponent& each = graph.components[id];
    text += id == entity.components.front() ? "\n\n" : "\n";
    text += "- " + (each.name.empty() ? "" : "`" + each.name + "`: ") + std::string(each.type_name);
  }
  return text;
}

/// The names that an entity shows of its subgraph.
std::string text_of_host(const EntityInterface& host, const Graph& graph) {
  std::string text = "**" + host.entity + "**\n\nincludes a subgraph";
  for (const InterfaceName& name : host.names) {
    text += &name == &host.names.front() ? ", which shows\n\n" : "\n";
    text += "- `" + name.name + "`: ";
    text += name.component != kNone ? graph.full_name(graph.components[name.component])
                                    : std::string(name.target->text());
  }
  return text;
}

std::string text_of_component(const GraphComponent& component, const Analysis& analysis) {
  return "**" + analysis.graph.full_name(component) + "**" +
         paragraph(component.type != nullptr ? text_of_type(*component.type, analysis)
                                             : std::string(component.type_name));
}

}  // namespace

std::string hover_text(const Name& name, const Analysis& analysis) {
  const Graph& graph = analysis.graph;
  switch (name.kind) {
    case Name::Kind::Type:
      return name.type != nullptr ? text_of_type(*name.type, analysis) : "";
    case Name::Kind::Parameter:
      return name.info != nullptr ? text_of_parameter(*name.info) : "";
    case Name::Kind::Entity:
      return text_of_entity(graph.entities[name.entity], graph);
    case Name::Kind::Component:
      return text_of_component(graph.components[name.component], analysis);
    case Name::Kind::Host:
      return text_of_host(*name.host, graph);
    case Name::Kind::Shown:
      return name.component != kNone ? text_of_component(graph.components[name.component], analysis)
                                     : "";
    case Name::Kind::Subgraph:
      return "**" + name.file + "**";
  }
  return "";
}

}  // namespace gxr::language
