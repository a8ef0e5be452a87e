#include "document/override_reader.hpp"

#include <string>
#include <utility>

#include "document/alias_limit.hpp"
#include "document/override_key.hpp"
#include "document/text_check.hpp"
#include "document/utf8.hpp"
#include "document/yaml_parse.hpp"

namespace gxr {

namespace {

constexpr const char* kForm = "write ENTITY/COMPONENT/PARAMETER=VALUE or ENTITY/PARAMETER=VALUE";

/// Collects what is wrong with one argument.
struct ArgumentProblems {
  std::uint16_t source;
  std::vector<Diagnostic>& problems;

  void add(Location where, std::size_t length, std::string text, std::string hint) {
    problems.push_back({DiagnosticCode::OverrideSyntax,
                        Severity::Error,
                        std::move(text),
                        where,
                        static_cast<std::uint32_t>(length),
                        std::move(hint),
                        {}});
  }
};

/// No YAML value starts with these, and an alias has nothing here to refer to; but paths and
/// patterns do.
bool is_text_in_any_case(std::string_view value) {
  return !value.empty() && std::string_view("*@`%").find(value.front()) != std::string_view::npos;
}

/// The rest of the argument from `offset` on; names of entities before it may hold newlines.
YamlStretch value_stretch(std::string_view argument, std::size_t offset, std::uint16_t source) {
  const Location start = YamlSource({argument, source, 1, 1, {}}).locate(offset);
  return {argument.substr(offset), source, start.line, start.column, {}};
}

const Value* null_value(Arena& arena, Location where) {
  const Value value = Value::make_scalar(ValueKind::Null, {}, false, where);
  return arena.keep(std::span(&value, 1));
}

const Value* single_tree(const YamlTrees& result, const YamlStretch& stretch, Arena& arena,
                         ArgumentProblems& problems) {
  const Location start{stretch.line, stretch.column, stretch.source};
  if (result.trees.empty()) {
    return null_value(arena, start);
  }
  if (result.trees.size() > 1) {
    problems.add(start, 1, "the value is more than one YAML document", "");
    return nullptr;
  }
  if (result.trees.front().alias_nodes > kMostAliasNodes) {
    problems.add(start, 1, "the value is too large", "");
    return nullptr;
  }
  if (result.trees.front().depth > kDeepestSetValue) {
    problems.add(start, 1, "the value is nested too deeply",
                 std::to_string(kDeepestSetValue) + " levels are possible");
    return nullptr;
  }
  return result.trees.front().root;
}

const Value* read_value(const YamlStretch& stretch, Arena& arena, ArgumentProblems& problems) {
  if (is_text_in_any_case(stretch.text)) {
    const Location start{stretch.line, stretch.column, stretch.source};
    const Value text = Value::make_scalar(ValueKind::Scalar, stretch.text, false, start);
    return arena.keep(std::span(&text, 1));
  }
  YamlTrees result;
  parse_yaml(stretch, arena, result);
  if (result.problems.empty()) {
    return single_tree(result, stretch, arena, problems);
  }
  for (Diagnostic& problem : result.problems) {
    problem.code =
        problem.code == DiagnosticCode::YamlSyntax ? DiagnosticCode::OverrideSyntax : problem.code;
    problems.problems.push_back(std::move(problem));
  }
  return nullptr;
}

/// The piece before the '=', taken apart; problems go to `problems`.
std::optional<OverrideKey> read_key(std::string_view key, ArgumentProblems& problems) {
  std::string problem;
  std::optional<OverrideKey> address = parse_override_key(key, problem);
  if (!address) {
    problems.add({1, 1, problems.source}, count_characters(key), quote_text(key) + " " + problem,
                 kForm);
  }
  return address;
}

/// False for what is no text at all, or has no '='.
bool is_assignment(std::string_view argument, ArgumentProblems& problems) {
  if (const std::optional<TextFlaw> flaw = find_flaw(argument)) {
    const Location where = YamlSource({argument, problems.source, 1, 1, {}}).locate(flaw->offset);
    problems.add(where, 1, flaw->text, flaw->hint);
    return false;
  }
  if (argument.find('=') == std::string_view::npos) {
    problems.add({1, 1, problems.source}, count_characters(argument),
                 quote_text(argument) + " has no '='", kForm);
    return false;
  }
  return true;
}

}  // namespace

std::optional<Override> read_override(std::string_view argument, std::uint16_t source, Arena& arena,
                                      std::vector<Diagnostic>& problems) {
  ArgumentProblems found{source, problems};
  if (!is_assignment(argument, found)) {
    return std::nullopt;
  }
  const std::string_view key = argument.substr(0, argument.find('='));
  const std::optional<OverrideKey> address = read_key(key, found);
  const YamlStretch stretch = value_stretch(argument, key.size() + 1, source);
  const Value* const value = read_value(stretch, arena, found);
  if (!address || value == nullptr) {
    return std::nullopt;
  }
  const auto length = static_cast<std::uint32_t>(count_characters(key));
  return Override{address->entity,
                  address->component,
                  address->parameter,
                  value,
                  {1, 1, source},
                  length,
                  false};
}

}  // namespace gxr
