#include "document/diagnostics.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "document/secrets.hpp"
#include "document/utf8.hpp"

namespace gxr {

namespace {

/// What nobody wrote comes last; what concerns a whole file comes before its lines.
auto reading_order(const Diagnostic& d) {
  return std::tuple(d.where.source == 0, d.where.source, d.where.line, d.where.column);
}

bool is_before(const Diagnostic& a, const Diagnostic& b) {
  return reading_order(a) < reading_order(b);
}

bool is_same(const Diagnostic& a, const Diagnostic& b) {
  return a.code == b.code && a.where == b.where && a.text == b.text;
}

/// Drops what an earlier one at the same place says already. `items` are in order.
void drop_repeated(std::vector<Diagnostic>& items) {
  std::vector<Diagnostic> kept;
  kept.reserve(items.size());
  for (Diagnostic& item : items) {
    const auto same_place = std::find_if(kept.rbegin(), kept.rend(), [&](const Diagnostic& other) {
      return other.where != item.where;
    });
    if (std::none_of(kept.rbegin(), same_place,
                     [&](const Diagnostic& other) { return is_same(other, item); })) {
      kept.push_back(std::move(item));
    }
  }
  items = std::move(kept);
}

}  // namespace

Diagnostic& Diagnostics::add(DiagnosticCode code, Location where, std::uint32_t length,
                             std::string text, std::string hint) {
  const DiagnosticInfo& kind = info(code);
  const bool tolerated = compat_gxf_ && kind.gxf_tolerates;
  const Severity severity = tolerated ? Severity::Warning : kind.severity;
  errors_ += severity == Severity::Error ? 1U : 0U;
  return items_.emplace_back(Diagnostic{code,
                                        severity,
                                        without_secrets(std::move(text)),
                                        where,
                                        std::max(length, 1U),
                                        without_secrets(std::move(hint)),
                                        {}});
}

Diagnostic& Diagnostics::add(DiagnosticCode code, const Value& value, std::string text,
                             std::string hint) {
  return add(code, value.location(), underline_length(value), std::move(text), std::move(hint));
}

void Diagnostics::set_severity(Diagnostic& diagnostic, Severity severity) noexcept {
  errors_ -= diagnostic.severity == Severity::Error ? 1U : 0U;
  errors_ += severity == Severity::Error ? 1U : 0U;
  diagnostic.severity = severity;
}

Diagnostic& Diagnostics::tolerate(Diagnostic& diagnostic) noexcept {
  if (compat_gxf_) {
    set_severity(diagnostic, Severity::Warning);
  }
  return diagnostic;
}

Diagnostic& Diagnostics::insist(Diagnostic& diagnostic) noexcept {
  set_severity(diagnostic, Severity::Error);
  return diagnostic;
}

Diagnostic& Diagnostics::soften(Diagnostic& diagnostic) noexcept {
  set_severity(diagnostic, Severity::Warning);
  return diagnostic;
}

void Diagnostics::sort() {
  std::stable_sort(items_.begin(), items_.end(), is_before);
  drop_repeated(items_);
  errors_ =
      static_cast<std::size_t>(std::count_if(items_.begin(), items_.end(), [](const Diagnostic& d) {
        return d.severity == Severity::Error;
      }));
}

}  // namespace gxr
