#include "graph/failure_rule.hpp"

#include <string_view>

#include "graph/rule_values.hpp"

namespace gxr {
namespace {

constexpr const char* kFailureForm =
    "write 'on_failure: {restart: {limit: 3, window: 60s, delay: 1s}}'";

/// The map behind the only key that there may be; nullptr when it is wrong.
const Value* find_restart(const Value& failure, RuleValues& values) {
  if (!failure.is_map() || failure.size() == 0) {
    values.report(failure, "'on_failure' must be a map with 'restart'");
    return nullptr;
  }
  for (std::size_t i = 0; i < failure.size(); ++i) {
    if (failure.key(i).text() != "restart") {
      values.report_key(failure.key(i), "on_failure");
      return nullptr;
    }
  }
  const Value& restart = failure.value(0);
  if (!restart.is_map() && !restart.is_null()) {
    values.report(restart, "'restart' must be a map");
    return nullptr;
  }
  return &restart;
}

RestartRule read_restart(const Value& restart, RuleValues& values) {
  RestartRule rule;
  for (std::size_t i = 0; restart.is_map() && i < restart.size(); ++i) {
    const std::string_view key = restart.key(i).text();
    if (key == "limit") {
      rule.limit = values.number(restart.key(i), restart.value(i), rule.limit);
    } else if (key == "window") {
      rule.window_ns = values.time(restart.value(i), rule.window_ns);
    } else if (key == "delay") {
      rule.delay_ns = values.time(restart.value(i), rule.delay_ns);
    } else {
      values.report_key(restart.key(i), "restart");
    }
  }
  return rule;
}

}  // namespace

void read_failure_rule(const Value& root, Diagnostics& diagnostics, GraphEntity& entity) {
  const Value* const failure = root.find(kFailureKey);
  if (failure == nullptr) {
    return;
  }
  RuleValues values(kFailureForm, diagnostics);
  if (const Value* const restart = find_restart(*failure, values)) {
    entity.restart = read_restart(*restart, values);
    entity.on_failure = failure;
  }
}

}  // namespace gxr
