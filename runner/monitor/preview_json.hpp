#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "executors/previews.hpp"

namespace gxr {

/// {"version", "tick", "queues": [{"queue", "part", "shape", "type", …}]}, and of each queue either
/// "picture": {"width", "height", "channels", "pixels": base64} or "line": […], with "low" and
/// "high", see Preview; or "why_not".
nlohmann::ordered_json to_json(const EntityPreviews& previews);
/// The same as text.
std::string text_of_previews(const EntityPreviews& previews);

}  // namespace gxr
