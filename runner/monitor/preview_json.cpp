#include "monitor/preview_json.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

namespace gxr {
namespace {

using Json = nlohmann::ordered_json;

/// RFC 4648.
std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr const char* kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::span<const std::uint8_t> group =
        bytes.subspan(i, std::min<std::size_t>(3, bytes.size() - i));
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      bits = bits << 8U | (j < group.size() ? group[j] : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      text += j <= group.size() ? kDigits[bits >> (18 - 6 * j) & 0x3FU] : '=';
    }
  }
  return text;
}

Json queue_json(const QueuePreview& queue) {
  const Preview& preview = queue.preview;
  Json json = {{"queue", queue.queue},
               {"part", preview.part},
               {"shape", preview.shape},
               {"type", preview.type}};
  if (!preview.why_not.empty()) {
    json["why_not"] = preview.why_not;
    return json;
  }
  json["low"] = preview.low;
  json["high"] = preview.high;
  if (preview.width != 0) {
    json["picture"] = {{"width", preview.width},
                       {"height", preview.height},
                       {"channels", preview.channels},
                       {"pixels", base64(preview.pixels)}};
  } else {
    json["line"] = preview.values;
  }
  return json;
}

}  // namespace

nlohmann::ordered_json to_json(const EntityPreviews& previews) {
  Json json = {{"version", 1}, {"tick", previews.tick}, {"queues", Json::array()}};
  for (const QueuePreview& queue : previews.queues) {
    json["queues"].push_back(queue_json(queue));
  }
  return json;
}

std::string text_of_previews(const EntityPreviews& previews) {
  return to_json(previews).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace gxr
