#include "document/diagnostic_table.hpp"

namespace gxr {

namespace {

std::vector<DiagnosticInfo> join_tables() {
  std::vector<DiagnosticInfo> all;
  for (const std::span<const DiagnosticInfo> part :
       {file_diagnostics(), short_form_diagnostics(), extension_diagnostics(),
        parameter_diagnostics(), handle_diagnostics(), execution_diagnostics(),
        region_diagnostics(), rank_diagnostics()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace

const std::vector<DiagnosticInfo>& diagnostic_table() {
  static const std::vector<DiagnosticInfo> table = join_tables();
  return table;
}

const DiagnosticInfo& info(DiagnosticCode code) {
  return diagnostic_table()[static_cast<std::size_t>(code)];
}

}  // namespace gxr
