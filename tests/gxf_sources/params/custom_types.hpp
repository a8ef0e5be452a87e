#pragma once

#include <string>
#include <utility>

#include "gxf/core/parameter.hpp"
#include "gxf/core/parameter_parser_std.hpp"

namespace acme {
namespace params {

enum class Quality { kDraft, kNormal, kFinal };

// A type that yaml-cpp does not know.
struct Interval {
  double low = 0.0;
  double high = 0.0;
};

// Two parameters in one, of any types.
template <typename First, typename Second>
struct Couple {
  First first;
  Second second;
};

}  // namespace params
}  // namespace acme

namespace nvidia {
namespace gxf {

template <>
struct ParameterParser<acme::params::Quality> {
  static Expected<acme::params::Quality> Parse(gxf_context_t, gxf_uid_t, const char* key,
                                               const YAML::Node& node, const std::string&) {
    const std::string word = node.as<std::string>();
    if (word == "draft") {
      return acme::params::Quality::kDraft;
    }
    if (word == "normal") {
      return acme::params::Quality::kNormal;
    }
    if (word == "final") {
      return acme::params::Quality::kFinal;
    }
    GXF_LOG_ERROR("Parameter '%s' is '%s', not draft, normal or final", key, word.c_str());
    return Unexpected{GXF_ARGUMENT_OUT_OF_RANGE};
  }
};

template <>
struct ParameterWrapper<acme::params::Quality> {
  static Expected<YAML::Node> Wrap(gxf_context_t, const acme::params::Quality& value) {
    switch (value) {
      case acme::params::Quality::kDraft:
        return YAML::Node("draft");
      case acme::params::Quality::kNormal:
        return YAML::Node("normal");
      case acme::params::Quality::kFinal:
        return YAML::Node("final");
    }
    return Unexpected{GXF_INVALID_ENUM};
  }
};

template <>
struct ParameterParser<acme::params::Interval> {
  static Expected<acme::params::Interval> Parse(gxf_context_t context, gxf_uid_t component_uid,
                                                const char* key, const YAML::Node& node,
                                                const std::string& prefix) {
    if (!node.IsMap()) {
      return Unexpected{GXF_INVALID_DATA_FORMAT};
    }
    acme::params::Interval interval;
    const auto result =
        ParameterParser<double>::Parse(context, component_uid, key, node["low"], prefix)
            .assign_to(interval.low)
            .and_then([&] {
              return ParameterParser<double>::Parse(context, component_uid, key, node["high"],
                                                    prefix);
            })
            .assign_to(interval.high);
    if (!result) {
      return ForwardError(result);
    }
    if (interval.low > interval.high) {
      return Unexpected{GXF_PARAMETER_OUT_OF_RANGE};
    }
    return interval;
  }
};

template <>
struct ParameterWrapper<acme::params::Interval> {
  static Expected<YAML::Node> Wrap(gxf_context_t, const acme::params::Interval& value) {
    YAML::Node node(YAML::NodeType::Map);
    node["low"] = value.low;
    node["high"] = value.high;
    return node;
  }
};

template <typename First, typename Second>
struct ParameterParser<acme::params::Couple<First, Second>> {
  static Expected<acme::params::Couple<First, Second>> Parse(gxf_context_t context,
                                                             gxf_uid_t component_uid,
                                                             const char* key,
                                                             const YAML::Node& node,
                                                             const std::string& prefix) {
    if (!node.IsSequence() || node.size() != 2) {
      return Unexpected{GXF_PARAMETER_PARSER_ERROR};
    }
    auto first = ParameterParser<First>::Parse(context, component_uid, key, node[0], prefix);
    auto second = ParameterParser<Second>::Parse(context, component_uid, key, node[1], prefix);
    if (!first) {
      return ForwardError(first);
    }
    if (!second) {
      return ForwardError(second);
    }
    return acme::params::Couple<First, Second>{std::move(first.value()), std::move(second.value())};
  }
};

template <typename First, typename Second>
struct ParameterWrapper<acme::params::Couple<First, Second>> {
  static Expected<YAML::Node> Wrap(gxf_context_t context,
                                   const acme::params::Couple<First, Second>& value) {
    auto first = ParameterWrapper<First>::Wrap(context, value.first);
    auto second = ParameterWrapper<Second>::Wrap(context, value.second);
    if (!first || !second) {
      return Unexpected{GXF_FAILURE};
    }
    YAML::Node node(YAML::NodeType::Sequence);
    node.push_back(first.value());
    node.push_back(second.value());
    return node;
  }
};

}  // namespace gxf
}  // namespace nvidia
