#include "graph/failure_rule.hpp"

#include <string>
#include <string_view>

#include "document/no_handles.hpp"
#include "graph/text.hpp"
#include "gxr/error.hpp"
#include "gxr/parameter.hpp"

namespace gxr {
namespace {

constexpr const char* kForm = "write 'on_failure: {restart: {limit: 3, window: 60s, delay: 1s}}'";

class RuleReader {
 public:
  explicit RuleReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// The map behind the only key that there may be; nullptr when it is wrong.
  const Value* find_restart(const Value& failure) {
    if (!failure.is_map() || failure.size() == 0) {
      report(failure, "'on_failure' must be a map with 'restart'");
      return nullptr;
    }
    for (std::size_t i = 0; i < failure.size(); ++i) {
      if (failure.key(i).text() != "restart") {
        report_key(failure.key(i), "on_failure");
        return nullptr;
      }
    }
    const Value& restart = failure.value(0);
    if (!restart.is_map() && !restart.is_null()) {
      report(restart, "'restart' must be a map");
      return nullptr;
    }
    return &restart;
  }

  RestartRule read(const Value& restart) {
    RestartRule rule;
    for (std::size_t i = 0; restart.is_map() && i < restart.size(); ++i) {
      const std::string_view key = restart.key(i).text();
      if (key == "limit") {
        rule.limit = number(restart.value(i), rule.limit);
      } else if (key == "window") {
        rule.window_ns = time(restart.value(i), rule.window_ns);
      } else if (key == "delay") {
        rule.delay_ns = time(restart.value(i), rule.delay_ns);
      } else {
        report_key(restart.key(i), "restart");
      }
    }
    return rule;
  }

 private:
  std::uint64_t number(const Value& value, std::uint64_t otherwise) {
    try {
      NoHandles context;
      const auto read = ParameterTraits<std::int64_t>::parse(value, context);
      if (read >= 1) {
        return static_cast<std::uint64_t>(read);
      }
      report(value, "'limit' must be at least 1");
    } catch (const Error& error) {
      report(value, "'limit': " + error.message());
    }
    return otherwise;
  }

  std::int64_t time(const Value& value, std::int64_t otherwise) {
    try {
      NoHandles context;
      return ParameterTraits<Duration>::parse(value, context).nanoseconds;
    } catch (const Error& error) {
      report(value, error.message());
    }
    return otherwise;
  }

  void report(const Value& value, const std::string& text) {
    diagnostics_.add(DiagnosticCode::ParameterValue, value, text, kForm);
  }
  void report_key(const Value& key, const char* map) {
    diagnostics_.add(DiagnosticCode::UnknownDocumentKey, key,
                     "unknown key " + in_quotes(key.text()) + " in '" + map + "'", kForm);
  }

  Diagnostics& diagnostics_;
};

}  // namespace

void read_failure_rule(const Value& root, Diagnostics& diagnostics, GraphEntity& entity) {
  const Value* const failure = root.find(kFailureKey);
  if (failure == nullptr) {
    return;
  }
  RuleReader reader(diagnostics);
  if (const Value* const restart = reader.find_restart(*failure)) {
    entity.restart = reader.read(*restart);
  }
}

}  // namespace gxr
