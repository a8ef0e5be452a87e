#include "program_graph.hpp"

#include <utility>

namespace nvidia::gxf::layer {

ProgramGraph::ProgramGraph(std::shared_ptr<gxr::Application> application)
    : application_(std::move(application)), entities_(&application_->entities()) {
  for (const gxr::EntityInfo& entity : *entities_) {
    by_number_[number_of(entity)] = &entity;
    by_name_.emplace(entity.name, &entity);
    for (const gxr::ComponentInfo& component : entity.components) {
      components_[number_of(component)] = {&entity, &component};
    }
  }
}

const gxr::EntityInfo* ProgramGraph::entity(gxf_uid_t eid) const {
  const auto found = by_number_.find(eid);
  return found != by_number_.end() ? found->second : nullptr;
}

const gxr::EntityInfo* ProgramGraph::entity(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found != by_name_.end() ? found->second : nullptr;
}

ProgramGraph::Place ProgramGraph::component(gxf_uid_t cid) const {
  const auto found = components_.find(cid);
  return found != components_.end() ? found->second : Place{};
}

gxf_result_t ProgramGraph::find_component(std::string_view name, gxf_uid_t& cid) const {
  const std::size_t slash = name.rfind('/');
  const gxr::EntityInfo* const owner = entity(name.substr(0, slash));
  if (owner == nullptr) {
    return GXF_ENTITY_NOT_FOUND;
  }
  for (const gxr::ComponentInfo& component : owner->components) {
    if (component.name == name.substr(slash + 1)) {
      cid = number_of(component);
      return GXF_SUCCESS;
    }
  }
  return GXF_ENTITY_COMPONENT_NOT_FOUND;
}

gxf_result_t ProgramGraph::find_parameter(gxf_uid_t cid, std::string_view key,
                                          const gxr::ParameterSetting*& found) const {
  const Place place = component(cid);
  if (place.component == nullptr) {
    return GXF_ENTITY_COMPONENT_NOT_FOUND;
  }
  for (const gxr::ParameterSetting& parameter : place.component->parameters) {
    if (parameter.info->key == key) {
      found = &parameter;
      return GXF_SUCCESS;
    }
  }
  return GXF_PARAMETER_NOT_FOUND;
}

}  // namespace nvidia::gxf::layer
