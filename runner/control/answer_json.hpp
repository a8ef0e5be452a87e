#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "executors/parameter_facts.hpp"
#include "gxr/operator_swap.hpp"
#include "gxr/run_status.hpp"
#include "internal_api.hpp"

namespace gxr {

/// All about one entity of an application that runs.
struct EntityFacts {
  std::optional<EntityStatus> status;  ///< none as long as there is none
  std::string region;                  ///< CUDA graph that it is a part of, which `status` is about
  std::vector<ComponentFacts> components;
};

// As data. What changes its meaning or disappears changes "version".

/// {"version", "parameters": [{"parameter", "takes", "value", "default", "changeable", "why_not"}]}
GXR_INTERNAL_API nlohmann::ordered_json to_json(const std::vector<ParameterFacts>& parameters);
/// {"version", "entity": to_json(EntityStatus) or null, "region",
///  "components": [{"component", "type", "parameters": […]}]}
GXR_INTERNAL_API nlohmann::ordered_json to_json(const EntityFacts& entity);
/// {"version", "component", "old_type", "new_type", "kept", "took_over_state", "lost", "pause_ns",
///  "failure": text or null}
GXR_INTERNAL_API nlohmann::ordered_json to_json(const SwapResult& result);
// Reading throws Error(InvalidData) for anything else.
GXR_INTERNAL_API std::vector<ParameterFacts> read_parameters(const nlohmann::json& json);
GXR_INTERNAL_API EntityFacts read_entity_facts(const nlohmann::json& json);
/// Of the failure, its text alone.
GXR_INTERNAL_API SwapResult read_swap_result(const nlohmann::json& json);

}  // namespace gxr
