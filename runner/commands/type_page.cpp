#include "commands/type_page.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "commands/type_facts.hpp"
#include "document/choice_words.hpp"
#include "gxr/plain_text.hpp"
#include "registry/parameter_text.hpp"
#include "registry/part_text.hpp"

namespace gxr::commands {
namespace {

/// Kinds of types in the order of a page, and the base that makes a type one of them.
constexpr std::pair<std::string_view, std::string_view> kKinds[] = {
    {"Operators", "gxr::Codelet"},
    {"Queues", "gxr::Queue"},
    {"Scheduling terms", "gxr::SchedulingTerm"},
    {"Allocators", "gxr::Allocator"},
    {"Clocks", "gxr::Clock"},
    {"Schedulers", "gxr::Scheduler"},
    {"Other components", ""},
    {"Base types", ""},
    {"Data types", ""}};

std::string_view kind(const TypeCatalog& catalog, const TypeInfo& type) {
  if (!type.component) {
    return "Data types";
  }
  if (type.abstract) {
    return "Base types";
  }
  for (const std::string& base : bases_of(catalog, type)) {
    for (const auto& [name, kind_base] : kKinds) {
      if (!kind_base.empty() && base == kind_base) {
        return name;
      }
    }
  }
  return "Other components";
}

/// Text that Markdown shows as it is, in a cell of a table as well.
std::string plain(std::string_view text) {
  std::string shown;
  for (const char c : text) {
    if (c == '\n') {
      shown += ' ';
      continue;
    }
    shown += std::string_view(R"(\`*_[]<>|#)").find(c) == std::string_view::npos
                 ? std::string(1, c)
                 : std::string{'\\', c};
  }
  return shown;
}

std::string code(std::string_view text) {
  std::string shown = "`";
  for (const char c : text) {
    shown += c == '|' ? "\\|" : std::string(1, c);
  }
  return shown + "`";
}

/// "Reads a file." from "Reads a file": a headline has no full stop.
std::string sentence(const std::string& text) {
  const bool ends =
      text.empty() || std::string_view(".!?:").find(text.back()) != std::string_view::npos;
  return plain(text) + (ends ? "" : ".");
}

/// The anchor that Git hosts give to a heading.
std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    if (c == ' ') {
      anchor += '-';
    } else if (c == '_' || c == '-' || is_letter(c) || is_digit(c)) {
      anchor += c;
    }
  }
  return lower_case(anchor);
}

/// A list of what is known beside the headline.
std::string facts(const TypeInfo& type) {
  std::string text;
  if (const std::string kind = kind_of(type); type.component && !type.abstract && !kind.empty()) {
    text += "- kind: " + plain(kind) + "\n";
  }
  for (const std::string& alias : type.aliases) {
    text += (&alias == &type.aliases.front() ? "- also named: " : ", ") + code(alias);
  }
  text += type.aliases.empty() ? "" : "\n";
  if (!type.base.empty()) {
    text += "- derived from: " + code(type.base) + "\n";
  }
  return text.empty() ? text : text + "\n";
}

/// The values one by one if there is something to say of one, else in a row.
std::string choices_text(const ParameterInfo& parameter) {
  const std::vector<Choice>& choices = choices_of(parameter);
  const bool explained = std::ranges::any_of(
      choices, [](const Choice& choice) { return !choice.description.empty(); });
  std::string text;
  for (const Choice& choice : choices) {
    const std::string_view word = word_of(choice);
    const std::string_view meaning = text_beside_word(choice);
    text += (explained      ? "<br>"
             : text.empty() ? " One of "
                            : ", ") +
            code(choice.name) + (word.empty() ? "" : " or " + code(word)) +
            (meaning.empty() ? "" : ": " + plain(meaning));
  }
  return text.empty() || explained ? text : text + ".";
}

std::string parts_text(const PortInfo& port) {
  std::string text;
  for (const PartInfo& part : port.parts) {
    text += (part.alternative ? "<br>Or: " : "<br>Part: ") + plain(spell(part));
  }
  return text + (port.other_parts ? "<br>Other parts may be there." : "");
}

/// Its type and default; of a port, whose type is always a queue, only whether it must be there.
std::string value_text(const ParameterInfo& parameter, const PortInfo* port) {
  return port == nullptr      ? plain(facts_of(parameter))
         : parameter.optional ? "optional"
                              : "mandatory";
}

std::string row(const ParameterInfo& parameter, const PortInfo* port) {
  std::string meaning = sentence(parameter.headline);
  if (!parameter.description.empty()) {
    meaning += (meaning.empty() ? "" : " ") + sentence(parameter.description);
  }
  return "| " + code(parameter.key) + " | " + value_text(parameter, port) + " | " + meaning +
         choices_text(parameter) + (port == nullptr ? "" : parts_text(*port)) + " |\n";
}

template <class Selects>
std::string table(const char* title, const TypeInfo& type, Selects selects) {
  std::string rows;
  for (const ParameterInfo& parameter : type.parameters) {
    if (const PortInfo* const port = port_of(type, parameter.key); selects(port)) {
      rows += row(parameter, port);
    }
  }
  return rows.empty()
             ? rows
             : std::string("| ") + title + " | value | meaning |\n|---|---|---|\n" + rows + "\n";
}

std::string describe(const TypeInfo& type) {
  using Direction = PortInfo::Direction;
  std::string text = type.headline.empty() ? "" : sentence(type.headline) + "\n\n";
  text += facts(type);
  if (!type.description.empty()) {
    text += sentence(type.description) + "\n\n";
  }
  text += table("input", type,
                [](const PortInfo* p) { return p != nullptr && p->direction == Direction::Input; });
  text += table("output", type, [](const PortInfo* p) {
    return p != nullptr && p->direction == Direction::Output;
  });
  return text + table("parameter", type, [](const PortInfo* p) { return p == nullptr; });
}

}  // namespace

std::string type_page(const TypeInfo& type) { return "# " + type.name + "\n\n" + describe(type); }

std::string extension_page(const TypeCatalog& catalog, const ExtensionFile& file) {
  std::string contents;
  std::string types;
  for (const auto& [name, base] : kKinds) {
    std::string rows;
    for (const TypeInfo* type : sorted_types(file)) {
      if (kind(catalog, *type) != name) {
        continue;
      }
      rows += "| [" + type->name + "](#" + anchor_of(type->name) + ") | " + plain(type->headline) +
              " |\n";
      types += "## " + type->name + "\n\n" + describe(*type);
    }
    if (!rows.empty()) {
      contents += "| " + std::string(name) + " | |\n|---|---|\n" + rows + "\n";
    }
  }
  return "# " + std::string(file.descriptor.name) + "\n\n" + sentence(file.descriptor.description) +
         "\n\n" + contents + types;
}

}  // namespace gxr::commands
