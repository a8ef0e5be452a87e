#include "graph/rule_values.hpp"

#include "document/no_handles.hpp"
#include "graph/text.hpp"
#include "gxr/error.hpp"
#include "gxr/parameter.hpp"

namespace gxr {

std::int64_t RuleValues::time(const Value& value, std::int64_t otherwise) {
  try {
    NoHandles context;
    return ParameterTraits<Duration>::parse(value, context).nanoseconds;
  } catch (const Error& error) {
    report(value, error.message());
  }
  return otherwise;
}

std::uint64_t RuleValues::number(const Value& key, const Value& value, std::uint64_t otherwise) {
  try {
    NoHandles context;
    const auto read = ParameterTraits<std::int64_t>::parse(value, context);
    if (read >= 1) {
      return static_cast<std::uint64_t>(read);
    }
    report(value, in_quotes(key.text()) + " must be at least 1");
  } catch (const Error& error) {
    report(value, in_quotes(key.text()) + ": " + error.message());
  }
  return otherwise;
}

void RuleValues::report(const Value& value, const std::string& text) {
  diagnostics_.add(DiagnosticCode::ParameterValue, value, text, form_);
}

void RuleValues::report_key(const Value& key, const char* map) {
  diagnostics_.add(DiagnosticCode::UnknownDocumentKey, key,
                   "unknown key " + in_quotes(key.text()) + " in '" + map + "'", form_);
}

}  // namespace gxr
