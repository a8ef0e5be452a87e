#include "graph/document_keys.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace gxr {
namespace {

using Names = std::vector<std::string_view>;

const Names kDocumentKeys = {"name",        "components",   "interfaces", "prerequisites",
                             "start_order", "EntityGroups", "extensions"};
// Written by other tools around GXF; they mean nothing for a run.
const Names kForeignDocumentKeys = {"dependencies", "ui_property", "application", "segment_config",
                                    "version"};
const Names kComponentKeys = {"name", "type", "parameters"};
const Names kForeignComponentKeys = {"ui_property"};

void check_keys(const Value& map, const Names& known, const Names& foreign, DiagnosticCode code,
                const char* what, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < map.size(); ++i) {
    const Value& key = map.key(i);
    const bool expected =
        !key.text().empty() && (std::ranges::find(known, key.text()) != known.end() ||
                                std::ranges::find(foreign, key.text()) != foreign.end());
    if (!expected) {
      std::string hint = suggestion(key.text(), known);
      if (hint.empty()) {
        hint = "known keys:";
        for (const std::string_view name : known) {
          hint.append(" ").append(name);
        }
      }
      diagnostics.add(code, key, "unknown key '" + std::string(key.text()) + "' in " + what, hint);
    }
  }
}

}  // namespace

void check_document_keys(const Value& root, Diagnostics& diagnostics) {
  check_keys(root, kDocumentKeys, kForeignDocumentKeys, DiagnosticCode::UnknownDocumentKey,
             "a document", diagnostics);
}

void check_component_keys(const Value& entry, Diagnostics& diagnostics) {
  check_keys(entry, kComponentKeys, kForeignComponentKeys, DiagnosticCode::UnknownComponentKey,
             "a component", diagnostics);
}

}  // namespace gxr
