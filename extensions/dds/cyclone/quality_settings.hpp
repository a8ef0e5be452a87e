#pragma once

#include "dds/cyclone/entity.hpp"
#include "dds/transport.hpp"

namespace gxr::dds {

/// Samples that wait in a reader that keeps all.
inline constexpr std::int32_t kMostKept = 1000;
/// Samples of a writer that keeps all which its readers do not have yet. Many, because a writer
/// that has waited for its readers hears of it some 100 ms later.
inline constexpr std::int32_t kMostUnderWay = 4000;

/// Qualities for a reader or a writer.
[[nodiscard]] QualitiesHandle settings_of(const EndpointOptions& options, bool writes);

/// Backwards, of any end of a topic.
[[nodiscard]] Qualities qualities_of(const dds_qos_t* settings);
/// The type hash in user data, "typehash=…;"; empty without.
[[nodiscard]] std::string type_hash_of(const dds_qos_t* settings);

}  // namespace gxr::dds
