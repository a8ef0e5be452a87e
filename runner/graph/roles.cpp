#include "graph/roles.hpp"

#include <string_view>
#include <utility>

namespace gxr {
namespace {

constexpr std::pair<Role, std::string_view> kBases[] = {
    {Role::Codelet, "gxr::Codelet"},
    {Role::Receiver, "gxr::Receiver"},
    {Role::Transmitter, "gxr::Transmitter"},
    {Role::SchedulingTerm, "gxr::SchedulingTerm"},
    {Role::TermCombiner, "gxr::SchedulingTermCombiner"},
    {Role::Scheduler, "gxr::Scheduler"},
    {Role::System, "gxr::System"},
    {Role::Connection, "gxr::Connection"},
    {Role::Topic, "gxr::Topic"},
    {Role::Router, "gxr::Router"},
    {Role::NetworkContext, "gxr::NetworkContext"},
    {Role::Resource, "gxr::ResourceBase"},
};

// Each asks for an executor of its own; a type derived from one may ask for another.
constexpr std::pair<Role, std::string_view> kSchedulers[] = {
    {Role::GreedyScheduler, "gxr::GreedyScheduler"},
    {Role::MultiThreadScheduler, "gxr::MultiThreadScheduler"},
    {Role::EventBasedScheduler, "gxr::EventBasedScheduler"},
    {Role::EpochScheduler, "gxr::EpochScheduler"},
};

std::uint32_t compute(const TypeCatalog& catalog, const TypeInfo& type) {
  std::uint32_t roles = 0;
  for (const auto& [role, base] : kBases) {
    roles |= catalog.is_a(type, base) ? static_cast<std::uint32_t>(role) : 0U;
  }
  for (const auto& [role, name] : kSchedulers) {
    roles |= type.name == name ? static_cast<std::uint32_t>(role) : 0U;
  }
  if (catalog.is_a(type, "gxr::ManualClock") || catalog.is_a(type, "gxr::SyntheticClock")) {
    roles |= static_cast<std::uint32_t>(Role::SimulatedClock);
  }
  return roles;
}

}  // namespace

std::uint32_t Roles::of(const TypeInfo& type) {
  if (&type == last_type_) {
    return last_roles_;
  }
  const auto [entry, added] = roles_.try_emplace(&type, 0U);
  if (added) {
    entry->second = compute(catalog_, type);
  }
  last_type_ = &type;
  return last_roles_ = entry->second;
}

}  // namespace gxr
