#include "control/answer_json.hpp"

#include <nlohmann/json.hpp>

#include "gxr/error.hpp"
#include "observe/status_json.hpp"

namespace gxr {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr int kAnswerVersion = 1;

OrderedJson to_json(const ParameterFacts& facts) {
  return {{"parameter", facts.parameter},
          {"takes", facts.takes},
          {"value", facts.value ? OrderedJson(*facts.value) : OrderedJson()},
          {"default", facts.is_default},
          {"changeable", facts.fixed.empty()},
          {"why_not", facts.fixed}};
}

OrderedJson list_json(const std::vector<ParameterFacts>& parameters) {
  OrderedJson list = OrderedJson::array();
  for (const ParameterFacts& each : parameters) {
    list.push_back(to_json(each));
  }
  return list;
}

ParameterFacts read_parameter(const nlohmann::json& json) {
  ParameterFacts facts;
  facts.parameter = json.at("parameter").get<std::string>();
  facts.takes = json.at("takes").get<std::string>();
  if (!json.at("value").is_null()) {
    facts.value = json.at("value").get<std::string>();
  }
  facts.is_default = json.at("default").get<bool>();
  facts.fixed = json.at("why_not").get<std::string>();
  return facts;
}

std::vector<ParameterFacts> read_list(const nlohmann::json& json) {
  std::vector<ParameterFacts> parameters;
  for (const nlohmann::json& each : json) {
    parameters.push_back(read_parameter(each));
  }
  return parameters;
}

EntityFacts read_entity_answer(const nlohmann::json& json) {
  EntityFacts facts;
  if (!json.at("entity").is_null()) {
    facts.status = read_entity_status(json.at("entity"));
  }
  facts.region = json.at("region").get<std::string>();
  for (const nlohmann::json& each : json.at("components")) {
    facts.components.push_back({each.at("component").get<std::string>(),
                                each.at("type").get<std::string>(),
                                read_list(each.at("parameters"))});
  }
  return facts;
}

/// The library's exceptions are about keys and types.
template <class Read>
auto reading_answer(const nlohmann::json& json, const Read& read) {
  try {
    if (json.at("version") != kAnswerVersion) {
      throw Error(ErrorCode::InvalidData, "the application's answer has another version");
    }
    return read(json);
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorCode::InvalidData, "what came is no answer of an application");
  }
}

}  // namespace

OrderedJson to_json(const std::vector<ParameterFacts>& parameters) {
  return {{"version", kAnswerVersion}, {"parameters", list_json(parameters)}};
}

OrderedJson to_json(const EntityFacts& entity) {
  OrderedJson components = OrderedJson::array();
  for (const ComponentFacts& each : entity.components) {
    components.push_back({{"component", each.component},
                          {"type", each.type},
                          {"parameters", list_json(each.parameters)}});
  }
  return {{"version", kAnswerVersion},
          {"entity", entity.status ? to_json(*entity.status) : OrderedJson()},
          {"region", entity.region},
          {"components", std::move(components)}};
}

OrderedJson to_json(const SwapResult& result) {
  return {{"version", kAnswerVersion},
          {"component", result.component},
          {"old_type", result.old_type},
          {"new_type", result.new_type},
          {"kept", result.is_kept},
          {"took_over_state", result.took_over_state},
          {"lost", result.lost},
          {"pause_ns", result.pause_ns},
          {"failure", result.failure ? OrderedJson(describe(*result.failure)) : OrderedJson()}};
}

SwapResult read_swap_result(const nlohmann::json& json) {
  return reading_answer(json, [](const nlohmann::json& each) {
    SwapResult result;
    result.component = each.at("component").get<std::string>();
    result.old_type = each.at("old_type").get<std::string>();
    result.new_type = each.at("new_type").get<std::string>();
    result.is_kept = each.at("kept").get<bool>();
    result.took_over_state = each.at("took_over_state").get<bool>();
    result.lost = each.at("lost").get<std::uint64_t>();
    result.pause_ns = each.at("pause_ns").get<std::int64_t>();
    if (!each.at("failure").is_null()) {
      result.failure.emplace().text = each.at("failure").get<std::string>();
    }
    return result;
  });
}

std::vector<ParameterFacts> read_parameters(const nlohmann::json& json) {
  return reading_answer(
      json, [](const nlohmann::json& each) { return read_list(each.at("parameters")); });
}

EntityFacts read_entity_facts(const nlohmann::json& json) {
  return reading_answer(json, read_entity_answer);
}

}  // namespace gxr
