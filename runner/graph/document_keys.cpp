#include "graph/document_keys.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "document/map_keys.hpp"
#include "graph/text.hpp"

namespace gxr {
namespace {

using Names = std::vector<std::string_view>;

const Names kDocumentKeys = {"name",        "components",   "interfaces", "prerequisites",
                             "start_order", "EntityGroups", "extensions"};
// Written by other tools around GXF; they mean nothing for a run.
const Names kForeignDocumentKeys = {"dependencies", "ui_property", "application", "segment_config",
                                    "version"};
// Of documents with `operator`, beside those of all documents; these have no components.
const Names kShortKeys = {"operator", "parameters", "inputs", "ports", "count", "period", "terms"};
const Names kShortDocumentKeys = {
    "name",  "operator",   "parameters",    "inputs",      "ports",        "count",     "period",
    "terms", "interfaces", "prerequisites", "start_order", "EntityGroups", "extensions"};
// Words for keys of documents with `operator`.
constexpr std::pair<std::string_view, std::string_view> kMeantKeys[] = {
    {"rate", "period"},   {"frequency", "period"}, {"fps", "period"},   {"interval", "period"},
    {"type", "operator"}, {"codelet", "operator"}, {"from", "inputs"},  {"source", "inputs"},
    {"in", "inputs"},     {"sources", "inputs"},   {"queues", "ports"}, {"outputs", "ports"},
    {"repeat", "count"},  {"ticks", "count"},      {"times", "count"},
};
const Names kComponentKeys = {"name", "type", "parameters"};
const Names kForeignComponentKeys = {"ui_property"};

std::string list_of(const Names& known) {
  std::string text = "known keys:";
  for (const std::string_view name : known) {
    text.append(" ").append(name);
  }
  return text;
}

void report(const Value& key, const Names& known, DiagnosticCode code, const char* what,
            Diagnostics& diagnostics) {
  if (const std::string flaw = flaw_of_key(key); !flaw.empty()) {
    diagnostics.add(code, key, flaw, list_of(known));
    return;
  }
  std::string hint = is_merge_key(key.text()) ? kMergeKeyHint : suggestion(key.text(), known);
  const auto* const meant =
      std::ranges::find(kMeantKeys, key.text(), [](const auto& word) { return word.first; });
  if (meant != std::end(kMeantKeys) && &known == &kShortDocumentKeys) {
    hint = "did you mean " + in_quotes(meant->second) + "?";
  }
  if (hint.empty()) {
    hint = list_of(known);
    if (code == DiagnosticCode::UnknownComponentKey) {
      hint += "; parameters of the component go below 'parameters:'";
    }
  }
  diagnostics.add(code, key, "unknown key '" + std::string(key.text()) + "' in " + what, hint);
}

bool is_among(std::string_view key, const Names& known, const Names& foreign) noexcept {
  return !key.empty() && (std::ranges::find(known, key) != known.end() ||
                          std::ranges::find(foreign, key) != foreign.end());
}

void check_keys(const Value& map, const Names& known, const Names& foreign, DiagnosticCode code,
                const char* what, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < map.size(); ++i) {
    const Value& key = map.key(i);
    if (!is_among(key.text(), known, foreign)) {
      report(key, known, code, what, diagnostics);
    }
  }
}

}  // namespace

bool is_document_key(std::string_view key, bool is_short) noexcept {
  return is_among(key, kDocumentKeys, kForeignDocumentKeys) ||
         (is_short && is_among(key, kShortKeys, {}));
}

bool is_key_of_short_form(std::string_view key) noexcept { return is_among(key, kShortKeys, {}); }

void check_document_keys(const Value& root, Diagnostics& diagnostics) {
  Names meant = kDocumentKeys;
  meant.insert(meant.begin() + 1, "operator");
  const bool has_operator = root.find("operator") != nullptr;
  bool misspelt = has_operator;  // then the other keys of the short form follow
  for (std::size_t i = 0; i < root.size() && !misspelt; ++i) {
    const std::string_view key = root.key(i).text();
    misspelt = !is_document_key(key, true) && did_you_mean(key, meant) == "operator";
  }
  for (std::size_t i = 0; i < root.size(); ++i) {
    const Value& key = root.key(i);
    if (is_document_key(key.text(), misspelt)) {
      continue;
    }
    if (is_document_key(key.text(), true)) {
      diagnostics.add(DiagnosticCode::UnknownDocumentKey, key,
                      in_quotes(key.text()) + " has no meaning in a document without 'operator'",
                      "write 'operator: the::Type' instead of 'components', or remove the key");
    } else {
      report(key, meant, DiagnosticCode::UnknownDocumentKey, "a document", diagnostics);
    }
  }
}

void check_short_keys(const Value& root, Diagnostics& diagnostics) {
  check_keys(root, kShortDocumentKeys, kForeignDocumentKeys, DiagnosticCode::UnknownDocumentKey,
             "a document with 'operator'", diagnostics);
}

void check_component_keys(const Value& entry, Diagnostics& diagnostics) {
  check_keys(entry, kComponentKeys, kForeignComponentKeys, DiagnosticCode::UnknownComponentKey,
             "a component", diagnostics);
}

}  // namespace gxr
