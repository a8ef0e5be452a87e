#include "graph/short_inputs.hpp"

#include <algorithm>

#include "graph/text.hpp"

namespace gxr {

ShortInputs::Connection ShortInputs::connection(const ShortComponents::Input& input,
                                                const GraphEntity& consumer, ScopeId scope) {
  const std::string& prefix = graph_.scopes[scope].prefix;
  if (input.lost) {
    if (input.source != nullptr) {
      check_entity(*input.source, prefix);
    }
    return {form_.lost_connection(*input.port), false};
  }
  const Value& source = *input.source;
  const std::string_view reader =
      consumer.named ? std::string_view(consumer.name).substr(prefix.size()) : std::string_view{};
  const Value target = form_.target(*input.port, reader);
  if (source.text().find('/') != std::string_view::npos) {
    if (form_.is_refused(source)) {
      return {form_.open_connection(source, target), false};
    }
    return {form_.connection(source, {}, target)};  // checked as a handle
  }
  const std::string entity = prefix + std::string(source.text());
  const GraphEntity* const found = graph_.find_entity(entity);
  const EntityInterface* const interface = graph_.find_interface(entity);
  if (found == nullptr && interface == nullptr) {
    report_no_entity(source, prefix);
    return {form_.open_connection(source, target), false};
  }
  const Names outputs = outputs_of(entity, source);
  if (outputs.size() == 1) {
    return {form_.connection(source, outputs.front(), target)};
  }
  const bool lost = (found != nullptr && has_unknown(*found)) ||
                    (interface != nullptr && lacks_names(*interface));
  if (!lost) {
    report(source, entity, outputs);
  }
  return {form_.open_connection(source, target), false};
}

/// Of a source whose port is wrong.
void ShortInputs::check_entity(const Value& source, const std::string& prefix) {
  const std::string_view text = source.text();
  const std::string entity = prefix + std::string(text.substr(0, text.find('/')));
  if (text.find('/') == std::string_view::npos && graph_.find_entity(entity) == nullptr &&
      graph_.find_interface(entity) == nullptr) {
    report_no_entity(source, prefix);
  }
}

/// Names by which a handle reaches the entity's transmitters.
ShortInputs::Names ShortInputs::outputs_of(const std::string& entity, const Value& source) {
  if (const ShortForm::Output output = form_.output_of(entity, source); output.is_short) {
    return {output.names.begin(), output.names.end()};
  }
  Names names;
  const auto add = [&](std::string_view name, const GraphComponent& component) {
    if (!name.empty() && is_transmitter(component) &&
        std::ranges::find(names, name) == names.end()) {
      names.emplace_back(name);
    }
  };
  if (const GraphEntity* const found = graph_.find_entity(entity)) {
    for (const ComponentId id : found->components) {
      add(graph_.components[id].name, graph_.components[id]);
    }
  }
  if (const EntityInterface* const interface = graph_.find_interface(entity)) {
    for (const InterfaceName& name : interface->names) {
      if (const ComponentId id = interfaces_.find(entity, name.name); id != kNone) {
        add(name.name, graph_.components[id]);
      }
    }
  }
  return names;
}

/// Does the entity lack components because of a problem that is reported elsewhere?
bool ShortInputs::has_unknown(const GraphEntity& entity) const {
  return graph_.lost_components.contains(entity.id) ||
         std::ranges::any_of(entity.components, [&](ComponentId id) {
           return form_.catalog().find(graph_.components[id].type_name) == nullptr;
         });
}

/// The same of what a subgraph shows: were its names reported?
bool ShortInputs::lacks_names(const EntityInterface& interface) {
  return !interface.complete || std::ranges::any_of(interface.names, [](const auto& name) {
    return name.component == kNone;
  });
}

bool ShortInputs::is_transmitter(const GraphComponent& component) {
  const auto [entry, added] = transmitters_.try_emplace(component.type_name, false);
  if (added) {
    const TypeInfo* const type = form_.catalog().find(component.type_name);
    entry->second = type != nullptr && form_.catalog().is_a(*type, "gxr::Transmitter");
  }
  return entry->second;
}

/// "did you mean 'camera/out'?" for camera.out, if there is a camera; else nothing.
std::string ShortInputs::with_slash(const Value& source, const std::string& prefix) const {
  std::string text(source.text());
  const std::size_t point = text.rfind('.');
  if (point == std::string::npos || point + 1 == text.size()) {
    return {};
  }
  const std::string entity = prefix + text.substr(0, point);
  if (graph_.find_entity(entity) == nullptr && graph_.find_interface(entity) == nullptr) {
    return {};
  }
  text[point] = '/';
  return "did you mean " + in_quotes(text) + "?";
}

void ShortInputs::report_no_entity(const Value& source, const std::string& prefix) {
  if (graph_.has_lost_entity(source.text()) || graph_.entity_made_twice) {
    return;  // the document that makes it was reported
  }
  std::string hint = with_slash(source, prefix);
  if (hint.empty()) {
    hint = suggester_.entity(source.text(), prefix);
  }
  if (hint.empty() && prefix.empty()) {
    hint = suggester_.in_subgraphs(source.text());
  }
  diagnostics_.add(DiagnosticCode::EntityNotFound, source,
                   "there is no entity " + in_quotes(prefix + std::string(source.text())), hint);
}

void ShortInputs::report(const Value& source, const std::string& entity, const Names& outputs) {
  if (outputs.empty()) {
    diagnostics_.add(DiagnosticCode::InputSource, source,
                     "entity " + in_quotes(entity) + " has no output",
                     "name an entity that has a transmitter");
    return;
  }
  std::string list;
  std::string choice;
  for (const std::string& name : outputs) {
    list += (list.empty() ? "" : ", ") + in_quotes(name);
    choice += (choice.empty() ? "write " : " or ") + std::string(source.text()) + "/" + name;
  }
  diagnostics_.add(DiagnosticCode::InputSource, source,
                   "entity " + in_quotes(entity) + " has several outputs: " + list, choice);
}

}  // namespace gxr
