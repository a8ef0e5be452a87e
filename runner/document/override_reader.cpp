#include "document/override_reader.hpp"

#include <string>
#include <utility>

#include "document/override_key.hpp"
#include "document/single_value.hpp"
#include "document/text_check.hpp"
#include "document/utf8.hpp"

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

/// The rest of the argument from `offset` on; names of entities before it may hold newlines.
YamlStretch value_stretch(std::string_view argument, std::size_t offset, std::uint16_t source) {
  const Location start = YamlSource({argument, source, 1, 1, {}}).locate(offset);
  return {argument.substr(offset), source, start.line, start.column, {}};
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
                 quote_text(argument) + " has no '='",
                 argument.find('/') == std::string_view::npos
                     ? kForm
                     : "write " + std::string(argument) + "=VALUE, all in one argument");
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
  const Value* const value =
      read_single_value(stretch, DiagnosticCode::OverrideSyntax, arena, problems);
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
