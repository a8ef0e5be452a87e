#include "gxr/component.hpp"

#include "gxr/codelet.hpp"
#include "gxr/consumers.hpp"
#include "gxr/controller.hpp"
#include "gxr/extension.hpp"
#include "gxr/interface.hpp"
#include "gxr/known_length.hpp"
#include "gxr/monitor.hpp"

namespace gxr {

Context::~Context() = default;

Component::~Component() = default;
void Component::declare(Interface&) {}
void Component::initialize() {}
void Component::deinitialize() {}

const std::string& Component::name() const noexcept { return *name_; }
const std::string& Component::entity_name() const noexcept { return *entity_name_; }
const std::string& Component::type() const noexcept { return *type_; }

std::string Component::full_name() const {
  return *entity_name_ + "/" + (name_->empty() ? *type_ : *name_);
}

ConsumerAware::~ConsumerAware() = default;
Controller::~Controller() = default;
KnownLength::~KnownLength() = default;

Monitor::~Monitor() = default;
void Monitor::on_tick(const Codelet&, std::int64_t, std::int64_t) {}
bool Monitor::wants_ticks() const { return false; }
void Monitor::on_start(std::uint32_t, const std::string&) {}

Codelet::~Codelet() = default;
void Codelet::start() {}
void Codelet::stop() {}
bool Codelet::is_exclusive() const { return false; }
StateType Codelet::state_type() const { return {}; }
std::vector<std::byte> Codelet::save_state() const { return {}; }
void Codelet::load_state(std::span<const std::byte>, std::uint32_t) {}

}  // namespace gxr
