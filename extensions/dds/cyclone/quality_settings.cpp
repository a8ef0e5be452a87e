#include "dds/cyclone/quality_settings.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace gxr::dds {
namespace {

constexpr std::string_view kHashKey = "typehash=";

dds_duration_t or_infinity(std::chrono::nanoseconds time) {
  return time.count() > 0 ? time.count() : DDS_INFINITY;
}
std::chrono::nanoseconds or_none(dds_duration_t time) {
  return std::chrono::nanoseconds(time == DDS_INFINITY ? 0 : time);
}

/// Those that gxr has no parameter for.
void read_rare_qualities(const dds_qos_t* settings, Qualities& found) {
  dds_liveliness_kind_t liveliness = DDS_LIVELINESS_AUTOMATIC;
  dds_duration_t time = DDS_INFINITY;
  if (dds_qget_liveliness(settings, &liveliness, &time)) {
    found.liveliness = static_cast<Liveliness>(liveliness);
    found.liveliness_lease = or_none(time);
  }
  if (dds_qget_latency_budget(settings, &time)) {
    found.latency_budget = std::chrono::nanoseconds(time);
  }
  dds_destination_order_kind_t order = DDS_DESTINATIONORDER_BY_RECEPTION_TIMESTAMP;
  if (dds_qget_destination_order(settings, &order)) {
    found.ordered_by_source = order == DDS_DESTINATIONORDER_BY_SOURCE_TIMESTAMP;
  }
  dds_presentation_access_scope_kind_t scope = DDS_PRESENTATION_INSTANCE;
  if (dds_qget_presentation(settings, &scope, &found.coherent, &found.ordered)) {
    found.scope = static_cast<AccessScope>(scope);
  }
  std::uint32_t count = 0;
  dds_data_representation_id_t* representations = nullptr;
  if (dds_qget_data_representation(settings, &count, &representations)) {
    found.representations.assign(representations, representations + count);
    dds_free(representations);
  }
}

}  // namespace

QualitiesHandle settings_of(const EndpointOptions& options, bool writes) {
  const Qualities& wanted = options.qualities;
  QualitiesHandle settings(dds_create_qos());
  dds_qos_t* const to = settings.get();
  dds_qset_reliability(to,
                       wanted.reliability == Reliability::Reliable ? DDS_RELIABILITY_RELIABLE
                                                                   : DDS_RELIABILITY_BEST_EFFORT,
                       wanted.max_blocking.count());
  dds_qset_durability(to, static_cast<dds_durability_kind_t>(wanted.durability));
  const bool keeps_all = wanted.depth == 0;
  const auto depth = static_cast<std::int32_t>(keeps_all ? 1 : wanted.depth);
  const auto history = keeps_all ? DDS_HISTORY_KEEP_ALL : DDS_HISTORY_KEEP_LAST;
  const std::int32_t most = keeps_all ? kMostKept : DDS_LENGTH_UNLIMITED;
  dds_qset_history(to, history, depth);
  dds_qset_resource_limits(to, most, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
  if (writes && wanted.durability == Durability::TransientLocal) {
    dds_qset_durability_service(to, 0, history, depth, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED,
                                DDS_LENGTH_UNLIMITED);
  }
  dds_qset_deadline(to, or_infinity(wanted.deadline));
  dds_qset_ownership(to, wanted.ownership == Ownership::Exclusive ? DDS_OWNERSHIP_EXCLUSIVE
                                                                  : DDS_OWNERSHIP_SHARED);
  if (writes) {
    dds_qset_lifespan(to, or_infinity(wanted.lifespan));
    dds_qset_ownership_strength(to, wanted.strength);
    dds_qset_writer_data_lifecycle(to, false);
  }
  const dds_data_representation_id_t representation = DDS_DATA_REPRESENTATION_XCDR1;
  dds_qset_data_representation(to, 1, &representation);
  if (!options.type->type_hash.empty()) {
    const std::string data = std::string(kHashKey) + options.type->type_hash + ";";
    dds_qset_userdata(to, data.data(), data.size());
  }
  if (!options.name.empty()) {
    dds_qset_entity_name(to, options.name.c_str());
  }
  return settings;
}

/// Those of the publisher or subscriber that an end belongs to.
Qualities qualities_of(const dds_qos_t* settings) {
  Qualities found;
  dds_reliability_kind_t reliability = DDS_RELIABILITY_BEST_EFFORT;
  dds_duration_t max_blocking = 0;
  if (dds_qget_reliability(settings, &reliability, &max_blocking)) {
    found.reliability =
        reliability == DDS_RELIABILITY_RELIABLE ? Reliability::Reliable : Reliability::BestEffort;
  }
  dds_durability_kind_t durability = DDS_DURABILITY_VOLATILE;
  if (dds_qget_durability(settings, &durability)) {
    found.durability = static_cast<Durability>(durability);
  }
  dds_ownership_kind_t ownership = DDS_OWNERSHIP_SHARED;
  if (dds_qget_ownership(settings, &ownership)) {
    found.ownership =
        ownership == DDS_OWNERSHIP_EXCLUSIVE ? Ownership::Exclusive : Ownership::Shared;
  }
  dds_qget_ownership_strength(settings, &found.strength);
  dds_history_kind_t history = DDS_HISTORY_KEEP_LAST;
  std::int32_t depth = 1;
  if (dds_qget_history(settings, &history, &depth)) {
    found.depth = history == DDS_HISTORY_KEEP_ALL ? 0 : static_cast<std::uint32_t>(depth);
  }
  dds_duration_t time = DDS_INFINITY;
  if (dds_qget_deadline(settings, &time)) {
    found.deadline = or_none(time);
  }
  if (dds_qget_lifespan(settings, &time)) {
    found.lifespan = or_none(time);
  }
  read_rare_qualities(settings, found);
  std::uint32_t count = 0;
  char** names = nullptr;
  if (dds_qget_partition(settings, &count, &names)) {
    for (std::uint32_t i = 0; i < count; ++i) {
      found.partitions.emplace_back(names[i]);
      dds_free(names[i]);
    }
    dds_free(names);
  }
  std::erase(found.partitions, std::string());
  return found;
}

std::string type_hash_of(const dds_qos_t* settings) {
  void* data = nullptr;
  std::size_t size = 0;
  if (!dds_qget_userdata(settings, &data, &size) || data == nullptr) {
    return {};
  }
  std::string text(static_cast<const char*>(data), size);
  dds_free(data);
  const std::size_t at = text.find(kHashKey);
  if (at == std::string::npos) {
    return {};
  }
  text = text.substr(at + kHashKey.size());
  return text.substr(0, text.find(';'));
}

}  // namespace gxr::dds
