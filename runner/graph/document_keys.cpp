#include "graph/document_keys.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "document/components_alone.hpp"
#include "document/map_keys.hpp"
#include "graph/text.hpp"

namespace gxr {
namespace {

using Names = std::vector<std::string_view>;

const Names kDocumentKeys = {"name",        "components",   "interfaces", "prerequisites",
                             "start_order", "EntityGroups", "extensions", "on_failure",
                             "deadline",    "rank"};
// Written by other tools around GXF; they mean nothing for a run.
const Names kForeignDocumentKeys = {"dependencies", "ui_property", "application", "segment_config",
                                    "version"};
// Of documents with `operator`, beside those of all documents; these have no components.
const Names kShortKeys = {"operator", "parameters", "inputs", "ports", "count", "period", "terms"};
const Names kShortDocumentKeys = {"name",        "operator",     "parameters", "inputs",
                                  "ports",       "count",        "period",     "terms",
                                  "on_failure",  "deadline",     "interfaces", "prerequisites",
                                  "start_order", "EntityGroups", "extensions", "rank"};
// Words for keys of documents with `operator`.
constexpr std::pair<std::string_view, std::string_view> kMeantKeys[] = {
    {"rate", "period"},   {"frequency", "period"}, {"fps", "period"},   {"interval", "period"},
    {"type", "operator"}, {"codelet", "operator"}, {"from", "inputs"},  {"source", "inputs"},
    {"in", "inputs"},     {"sources", "inputs"},   {"queues", "ports"}, {"repeat", "count"},
    {"ticks", "count"},   {"times", "count"},
};
const Names kComponentKeys = {"name", "type", "parameters"};
const Names kForeignComponentKeys = {"ui_property"};

/// The key that a word of another system stands for; empty: none is known.
std::string_view meaning_of(std::string_view word) {
  const auto* const found =
      std::ranges::find(kMeantKeys, word, [](const auto& entry) { return entry.first; });
  return found == std::end(kMeantKeys) ? std::string_view{} : found->second;
}

std::string list_of(const Names& known) {
  std::string text = "known keys:";
  for (const std::string_view name : known) {
    text.append(" ").append(name);
  }
  return text;
}

/// The one scalar of a map or list of maps, with its key; nullptr: there are none, or several.
const Value* single_scalar(const Value& value) {
  const Value* const inner = value.size() != 1     ? nullptr
                             : value.is_map()      ? &value.value(0)
                             : value.is_sequence() ? &value.at(0)
                                                   : nullptr;
  return inner == nullptr || inner->is_scalar() ? inner : single_scalar(*inner);
}

/// For `outputs`: {out: reader} means a connection, and other values the settings of queues.
std::string hint_for_outputs(const Value& root, const Value& outputs) {
  const Value* const reader = single_scalar(outputs);
  const bool has_settings = outputs.is_map() && outputs.size() > 0 && outputs.value(0).is_map();
  const Value* const name = root.find("name");
  if (has_settings) {
    return "did you mean 'ports'?";
  }
  const bool is_named = reader != nullptr && name != nullptr && name->is_scalar();
  return "connections are written at the reader: 'inputs: {PORT: " +
         (is_named ? std::string(name->text()) + "}' in " + in_quotes(reader->text())
                   : std::string("ENTITY}'"));
}

/// For `conditions`, as Holoscan calls scheduling terms.
std::string hint_for_conditions(const Value& conditions) {
  for (std::size_t i = 0; conditions.is_sequence() && i < conditions.size(); ++i) {
    const Value& entry = conditions.at(i);
    for (const char* const key : {"count", "period"}) {
      const Value* const value = entry.is_map() ? entry.find(key) : nullptr;
      if (value != nullptr && value->is_scalar()) {
        return "write '" + std::string(key) + ": " + std::string(value->text()) +
               "' as a key of the document; other conditions go under 'terms'";
      }
    }
  }
  return "'count' and 'period' are keys of the document; other conditions go under 'terms', with "
         "'- type: the::Type'";
}

/// A hint for some keys of a document with `operator`, else nothing.
std::string hint_for_short_key(const Value& root, const Value& key, const Value& value) {
  if (key.text() == "outputs") {
    return hint_for_outputs(root, value);
  }
  return key.text() == "conditions" || key.text() == "condition" ? hint_for_conditions(value)
                                                                 : std::string();
}

void report(const Value& key, const Names& known, DiagnosticCode code, const char* what,
            Diagnostics& diagnostics, std::string hint = {}) {
  if (const std::string flaw = flaw_of_key(key); !flaw.empty()) {
    diagnostics.add(code, key, flaw, list_of(known));
    return;
  }
  if (hint.empty()) {
    hint = is_merge_key(key.text()) ? kMergeKeyHint : suggestion(key.text(), known);
  }
  const std::string_view meant = meaning_of(key.text());
  if (std::ranges::find(known, meant) != known.end() &&
      (&known == &kShortDocumentKeys || meant == "operator")) {
    hint = "did you mean " + in_quotes(meant) + "?";
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

/// Keys that follow an empty `parameters`: they lack their indentation. Reported as one mistake.
std::vector<const Value*> report_not_indented(const Value& map, const Names& known,
                                              const Names& foreign, Diagnostics& diagnostics) {
  std::vector<const Value*> keys;
  const Value* parameters = nullptr;
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (map.key(i).text() == "parameters" && map.value(i).is_null()) {
      parameters = &map.value(i);
    } else if (parameters != nullptr) {
      if (is_among(map.key(i).text(), known, foreign) || !flaw_of_key(map.key(i)).empty()) {
        break;
      }
      keys.push_back(&map.key(i));
    }
  }
  if (keys.empty()) {
    return keys;
  }
  std::string names;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    names += i == 0 ? "" : i + 1 < keys.size() ? ", " : " and ";
    names += in_quotes(keys[i]->text());
  }
  diagnostics.add(DiagnosticCode::ParametersNotMap, *parameters, "'parameters' has no values",
                  "indent " + names + " under 'parameters:'");
  return keys;
}

void check_keys(const Value& map, const Names& known, const Names& foreign, DiagnosticCode code,
                const char* what, Diagnostics& diagnostics) {
  const std::vector<const Value*> reported = report_not_indented(map, known, foreign, diagnostics);
  for (std::size_t i = 0; i < map.size(); ++i) {
    const Value& key = map.key(i);
    if (!is_among(key.text(), known, foreign) &&
        std::ranges::find(reported, &key) == reported.end()) {
      report(key, known, code, what, diagnostics,
             &known == &kShortDocumentKeys ? hint_for_short_key(map, key, map.value(i))
                                           : std::string());
    }
  }
}

/// Is it what a document holds, below the name of its entity?
bool is_entity(const Value& value) {
  return value.is_map() && std::ranges::any_of(std::array{"operator", "components"},
                                               [&](const char* key) { return value.find(key); });
}

}  // namespace

bool is_document_key(std::string_view key, bool is_short) noexcept {
  return is_among(key, kDocumentKeys, kForeignDocumentKeys) ||
         (is_short && is_among(key, kShortKeys, {}));
}

bool is_key_of_short_form(std::string_view key) noexcept { return is_among(key, kShortKeys, {}); }

void check_document_keys(const Value& root, Diagnostics& diagnostics) {
  if (is_component(root)) {
    diagnostics.add(DiagnosticCode::UnknownDocumentKey, type_key(root),
                    "this document is a component, not an entity",
                    "put it under 'components:' of an entity, or write 'operator:' instead of "
                    "'type:'");
    return;
  }
  Names meant = kDocumentKeys;
  meant.insert(meant.begin() + 1, "operator");
  const bool has_operator = root.find("operator") != nullptr;
  bool misspelt = has_operator;  // then the other keys of the short form follow
  for (std::size_t i = 0; i < root.size() && !misspelt; ++i) {
    const std::string_view key = root.key(i).text();
    misspelt = !is_document_key(key, true) &&
               (did_you_mean(key, meant) == "operator" || meaning_of(key) == "operator");
  }
  bool told = false;
  for (std::size_t i = 0; i < root.size(); ++i) {
    const Value& key = root.key(i);
    if (is_document_key(key.text(), misspelt)) {
      continue;
    }
    if (is_entity(root.value(i)) && flaw_of_key(key).empty() &&
        did_you_mean(key.text(), meant).empty()) {
      if (!std::exchange(told, true)) {
        diagnostics.add(
            DiagnosticCode::UnknownDocumentKey, key,
            "the name of an entity is no key of a document",
            "write 'name: " + std::string(key.text()) + "', and '---' between entities");
      }
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
