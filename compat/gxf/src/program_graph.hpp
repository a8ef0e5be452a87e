#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "context.hpp"
#include "gxf/core/gxf.h"
#include "gxr/application.hpp"

namespace nvidia::gxf::layer {

/// The entities and components of a program's application by their numbers. Does not change.
class ProgramGraph {
 public:
  /// Where a component is.
  struct Place {
    const gxr::EntityInfo* entity = nullptr;
    const gxr::ComponentInfo* component = nullptr;
  };

  /// Of an application that was checked; keeps it.
  explicit ProgramGraph(std::shared_ptr<gxr::Application> application);

  static gxf_uid_t number_of(const gxr::EntityInfo& entity) noexcept {
    return Context::entity_number_of(entity.id);
  }
  static gxf_uid_t number_of(const gxr::ComponentInfo& component) noexcept {
    return Context::component_number_of(component.id);
  }

  /// Has it only the name that gxr gives to entities without one?
  static bool is_nameless(const gxr::EntityInfo& entity) {
    return entity.name == "__entity_" + std::to_string(entity.id);
  }

  [[nodiscard]] const std::vector<gxr::EntityInfo>& entities() const noexcept { return *entities_; }
  /// nullptr: there is none.
  [[nodiscard]] const gxr::EntityInfo* entity(gxf_uid_t eid) const;
  [[nodiscard]] const gxr::EntityInfo* entity(std::string_view name) const;
  [[nodiscard]] Place component(gxf_uid_t cid) const;
  /// The number of "entity/component".
  gxf_result_t find_component(std::string_view name, gxf_uid_t& cid) const;
  gxf_result_t find_parameter(gxf_uid_t cid, std::string_view key,
                              const gxr::ParameterSetting*& found) const;

 private:
  std::shared_ptr<gxr::Application> application_;
  const std::vector<gxr::EntityInfo>* entities_;
  std::unordered_map<gxf_uid_t, const gxr::EntityInfo*> by_number_;
  std::unordered_map<std::string_view, const gxr::EntityInfo*> by_name_;
  std::unordered_map<gxf_uid_t, Place> components_;
};

}  // namespace nvidia::gxf::layer
