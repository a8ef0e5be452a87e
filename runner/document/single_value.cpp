#include "document/single_value.hpp"

#include <span>
#include <string>
#include <utility>

#include "document/alias_limit.hpp"
#include "document/utf8.hpp"
#include "document/yaml_parse.hpp"

namespace gxr {

namespace {

/// No YAML value starts with these, and an alias has nothing here to refer to; but paths and
/// patterns do.
bool is_text_in_any_case(std::string_view value) {
  return !value.empty() && is_one_of(value.front(), "*@`%");
}

const Value* keep(const Value& value, Arena& arena) { return arena.keep(std::span(&value, 1)); }

/// The mistake in the one tree; empty if there is none.
Diagnostic flaw_of(const YamlTrees& result) {
  Diagnostic flaw{};
  if (result.trees.size() > 1) {
    flaw.text = "the value is more than one YAML document";
  } else if (result.trees.front().alias_nodes > kMostAliasNodes) {
    flaw.text = "the value is too large";
  } else if (result.trees.front().depth > kDeepestSetValue) {
    flaw.text = "the value is nested too deeply";
    flaw.hint = std::to_string(kDeepestSetValue) + " levels are possible";
  }
  return flaw;
}

}  // namespace

const Value* read_single_value(const YamlStretch& stretch, DiagnosticCode code, Arena& arena,
                               std::vector<Diagnostic>& problems) {
  const Location start{stretch.line, stretch.column, stretch.source};
  if (is_text_in_any_case(stretch.text)) {
    return keep(Value::make_scalar(ValueKind::Scalar, stretch.text, false, start), arena);
  }
  YamlTrees result;
  parse_yaml(stretch, arena, result);
  if (!result.problems.empty()) {
    for (Diagnostic& problem : result.problems) {
      problem.code = problem.code == DiagnosticCode::YamlSyntax ? code : problem.code;
      problems.push_back(std::move(problem));
    }
    return nullptr;
  }
  if (result.trees.empty()) {
    return keep(Value::make_scalar(ValueKind::Null, {}, false, start), arena);
  }
  if (Diagnostic flaw = flaw_of(result); !flaw.text.empty()) {
    flaw.code = code;
    flaw.where = start;
    problems.push_back(std::move(flaw));
    return nullptr;
  }
  return result.trees.front().root;
}

}  // namespace gxr
