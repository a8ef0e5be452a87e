#include "control/control_protocol.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "document/classic_locale.hpp"
#include "document/json_text.hpp"
#include "document/utf8.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

using Json = nlohmann::json;

constexpr const char* kVersionKey = "gxr-control";
constexpr int kVersion = 1;
constexpr std::size_t kLongestText = std::size_t{32} << 10;

Json message() { return Json{{kVersionKey, kVersion}}; }

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorCode::InvalidData, text); }

using Question = ControlRequest::Question;

/// A request is a map with a list of texts in it, at most.
constexpr JsonLimits kRequestLimits{.most_bytes = kLongestRequest, .deepest = 4};
constexpr JsonLimits kAnswerLimits{.most_bytes = kLongestAnswer, .deepest = 10};

constexpr std::pair<const char*, Question> kQuestions[] = {{"about", Question::About},
                                                           {"status", Question::Status},
                                                           {"status-text", Question::StatusText},
                                                           {"get", Question::Get}};

void require_version(const Json& version) {
  if (version == kVersion) {
    return;
  }
  const std::string theirs = version.is_number_integer()
                                 ? "version " + std::to_string(version.get<std::int64_t>())
                                 : "a version that is no number";
  refuse("the control socket's other side speaks " + theirs + ", this gxr " +
         std::to_string(kVersion));
}

/// A JSON object of this version.
Json read_message(std::string_view line, const JsonLimits& limits) {
  const ClassicLocale locale;
  Json json;
  try {
    json = read_foreign_json(line, limits);
  } catch (const Error&) {
    // Said below.
  }
  if (!json.is_object() || !json.contains(kVersionKey)) {
    refuse("what came through the control socket is no message of gxr");
  }
  require_version(json[kVersionKey]);
  return json;
}

bool is_text_list(const Json& json) {
  return json.is_array() && !json.empty() &&
         std::ranges::all_of(json, [](const Json& each) { return each.is_string(); });
}

/// dump() throws for what is not UTF-8, or replaces it.
void require_utf8(const std::string& text) {
  for (std::string_view rest = text; !rest.empty();) {
    const Utf8Character next = first_character(rest);
    if (!next.valid) {
      throw Error(ErrorCode::InvalidArgument, quote_text(text) + " is not UTF-8");
    }
    rest.remove_prefix(next.size);
  }
}

Json swap_line(const ControlRequest& request) {
  require_utf8(request.type);
  require_utf8(request.extension);
  Json json = message();
  json["swap"] = request.entity;
  json["type"] = request.type;
  if (!request.extension.empty()) {
    json["extension"] = request.extension;
  }
  if (request.keep_for_ns > 0) {
    json["keep_for_ns"] = request.keep_for_ns;
  }
  return json;
}

constexpr std::uint64_t kLongestProbation = std::numeric_limits<std::int64_t>::max();

/// Takes a key out of what is left of a request.
Json take(Json& json, const char* key) {
  const auto found = json.find(key);
  Json value = found == json.end() ? Json() : *found;
  json.erase(key);
  return value;
}

/// Nothing for what is no request for an exchange.
std::optional<ControlRequest> read_swap(Json json) {
  json.erase(kVersionKey);
  const Json entity = take(json, "swap");
  const Json type = take(json, "type");
  const Json extension = take(json, "extension");
  const Json keep_for = take(json, "keep_for_ns");
  const bool fits =
      entity.is_string() && type.is_string() && json.empty() &&
      (extension.is_null() || extension.is_string()) &&
      (keep_for.is_null() || (keep_for.is_number_unsigned() && keep_for <= kLongestProbation));
  if (!fits || entity.get_ref<const std::string&>().empty() ||
      type.get_ref<const std::string&>().empty()) {
    return std::nullopt;
  }
  ControlRequest request{{}, entity.get<std::string>(), true, Question::Swap};
  request.type = type.get<std::string>();
  request.extension = extension.is_null() ? std::string() : extension.get<std::string>();
  request.keep_for_ns = keep_for.is_null() ? 0 : keep_for.get<std::int64_t>();
  return request;
}

/// As many whole characters as `text` has room for.
std::string cut(const std::string& text) {
  if (text.size() <= kLongestText) {
    return text;
  }
  std::size_t size = kLongestText;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) {
    --size;
  }
  return text.substr(0, size) + "…";
}

}  // namespace

std::string to_line(const ControlRequest& request) {
  Json json = message();
  require_utf8(request.entity);
  std::ranges::for_each(request.assignments, require_utf8);
  const auto* const question =
      std::ranges::find(kQuestions, request.question, &std::pair<const char*, Question>::second);
  if (request.question == Question::Swap) {
    json = swap_line(request);
  } else if (question != std::end(kQuestions)) {
    json[question->first] = request.entity;
  } else if (request.entity.empty()) {
    json["set"] = request.assignments;
  } else {
    json[request.on ? "enable" : "disable"] = request.entity;
  }
  return line_of(json);
}

ControlRequest read_request(std::string_view line) {
  const Json json = read_message(line, kRequestLimits);
  if (json.size() == 2 && json.contains("set") && is_text_list(json["set"])) {
    return {json["set"].get<std::vector<std::string>>(), {}};
  }
  for (const auto& [key, question] : kQuestions) {
    if (json.size() == 2 && json.contains(key) && json[key].is_string()) {
      return {{}, json[key].get<std::string>(), true, question};
    }
  }
  for (const auto& [key, on] : {std::pair{"enable", true}, std::pair{"disable", false}}) {
    if (json.size() == 2 && json.contains(key) && json[key].is_string() &&
        !json[key].get_ref<const std::string&>().empty()) {
      return {{}, json[key].get<std::string>(), on};
    }
  }
  if (std::optional<ControlRequest> swap = read_swap(json)) {
    return *std::move(swap);
  }
  refuse(
      "the control socket takes 'set' with a list of texts, 'enable', 'disable', 'about', "
      "'status', 'status-text' or 'get' with one, or 'swap' with 'type'");
}

std::string success_line() {
  Json json = message();
  json["ok"] = true;
  return line_of(json);
}

std::string success_line(const std::string& result) {
  const std::string line = success_line();
  return line.substr(0, line.rfind('}')) + ",\"result\":" + result + "}\n";
}

std::string success_text(const std::string& text) {
  return success_line(std::to_string(text.size())) + text;
}

std::string failure_line(const char* code, const std::string& text) {
  Json json = message();
  json["ok"] = false;
  json["code"] = code;
  json["error"] = cut(text);
  return line_of(json);
}

namespace {

/// Of a failure; Failure when it says none.
ErrorCode code_in(const Json& json) {
  const std::string name =
      json.contains("code") && json["code"].is_string() ? json["code"].get<std::string>() : "";
  for (int i = 0; i <= static_cast<int>(ErrorCode::NotFinished); ++i) {
    if (name == to_string(static_cast<ErrorCode>(i))) {
      return static_cast<ErrorCode>(i);
    }
  }
  return ErrorCode::Failure;
}

}  // namespace

Json require_success(std::string_view line) {
  Json json = read_message(line, kAnswerLimits);
  if (!json.contains("ok") || !json["ok"].is_boolean()) {
    refuse("the answer of the application says neither yes nor no");
  }
  if (!json["ok"].get<bool>()) {
    const bool says_why = json.contains("error") && json["error"].is_string();
    throw Error(code_in(json), says_why ? json["error"].get<std::string>()
                                        : "the application refused, and does not say why");
  }
  return json.contains("result") ? std::move(json["result"]) : Json();
}

}  // namespace gxr
