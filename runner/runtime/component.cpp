#include "gxr/component.hpp"

#include "gxr/codelet.hpp"
#include "gxr/extension.hpp"

namespace gxr {

Context::~Context() = default;

Component::~Component() = default;
void Component::declare(Interface&) {}
void Component::initialize() {}
void Component::deinitialize() {}

void Component::attach(const Identity& identity) noexcept {
  context_ = identity.context;
  name_ = identity.name;
  entity_name_ = identity.entity_name;
  type_ = identity.type;
  component_id_ = identity.component_id;
  entity_id_ = identity.entity_id;
}

const std::string& Component::name() const noexcept { return *name_; }
const std::string& Component::entity_name() const noexcept { return *entity_name_; }
const std::string& Component::type() const noexcept { return *type_; }

std::string Component::full_name() const {
  return *entity_name_ + "/" + (name_->empty() ? *type_ : *name_);
}

Codelet::~Codelet() = default;
void Codelet::start() {}
void Codelet::stop() {}

}  // namespace gxr
