#include "commands/manual_page.hpp"

#include <algorithm>

namespace gxr::commands {
namespace {

/// Text that roff prints as it is.
std::string roff(std::string_view text) {
  std::string made;
  bool begins_line = true;
  for (const char c : text) {
    if (begins_line && (c == '.' || c == '\'')) {
      made += "\\&";
    }
    begins_line = c == '\n';
    made += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  }
  return made;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

std::string heading(const std::string& name, std::string_view help) {
  std::string what(help.substr(0, help.find_last_not_of('.') + 1));
  if (!what.empty() && what.front() >= 'A' && what.front() <= 'Z') {
    what.front() = static_cast<char>(what.front() - 'A' + 'a');
  }
  std::string title = name;
  std::ranges::transform(title, title.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return ".TH " + roff(title) + " 1 \"\" \"gxr " GXR_VERSION "\" \"Manual of gxr\"\n.SH NAME\n" +
         roff(name) + " \\- " + roff(what) + "\n";
}

std::string see_also(const std::vector<std::string>& pages) {
  std::string text = ".SH SEE ALSO\n";
  for (const std::string& page : pages) {
    text += bold(page) + "(1), ";
  }
  return text + "the pages in " + italic("share/doc/gxr/docs") + " of the installation\n";
}

std::string value_of(const OptionEntry& entry) {
  if (entry.choices.empty() || entry.names.empty()) {
    return italic(entry.value);
  }
  std::string text;
  for (const std::string& choice : entry.choices) {
    text += (text.empty() ? "" : "|") + bold(choice);
  }
  return text;
}

std::string tag_of(const OptionEntry& entry) {
  std::string text;
  for (const std::string& name : entry.names) {
    text += (text.empty() ? "" : ", ") + bold(name);
  }
  if (!entry.value.empty()) {
    text += (text.empty() ? "" : " ") + value_of(entry);
  }
  return text;
}

std::string help_of(const OptionEntry& entry) {
  std::string text = roff(entry.help);
  if (entry.names.empty() && !entry.choices.empty()) {
    std::string list;
    for (const std::string& choice : entry.choices) {
      list += (list.empty() ? "" : ", ") + bold(choice);
    }
    text = "One of " + list;
  }
  if (!entry.default_value.empty()) {
    text += " (default: " + roff(entry.default_value) + ")";
  }
  return text;
}

std::string section(const char* title, const std::vector<OptionEntry>& entries) {
  std::string text = entries.empty() ? "" : std::string(".SH ") + title + "\n";
  for (const OptionEntry& entry : entries) {
    text += ".TP\n" + tag_of(entry) + "\n" + help_of(entry) + "\n";
  }
  return text;
}

std::string page_of(const CommandEntry& command) {
  std::string text = heading("gxr-" + command.name, command.help);
  text += ".SH SYNOPSIS\n" + bold("gxr " + command.name) + " [" + italic("OPTION") + "]...";
  for (const OptionEntry& argument : command.arguments) {
    const std::string name = italic(argument.value) + (argument.repeats ? "..." : "");
    text += argument.required ? " " + name : " [" + name + "]";
  }
  text += "\n.SH DESCRIPTION\n" + roff(command.help) + ".\n";
  text += section("ARGUMENTS", command.arguments) + section("OPTIONS", command.options);
  return text + see_also({"gxr"});
}

std::string page_of(const CommandTable& table) {
  std::string text = heading("gxr", table.program.help);
  text += ".SH SYNOPSIS\n" + bold("gxr") + " " + italic("COMMAND") + " [" + italic("OPTION") +
          "]... [" + italic("ARGUMENT") + "]...\n.SH DESCRIPTION\n" + roff(table.program.help) +
          "\nEach command has a page of its own.\n.SH COMMANDS\n";
  std::vector<std::string> pages;
  for (const CommandEntry& command : table.commands) {
    pages.push_back("gxr-" + command.name);
    text += ".TP\n" + bold(pages.back()) + "(1)\n" + roff(command.help) + "\n";
  }
  pages.emplace_back("gxe");
  return text + section("OPTIONS", table.program.options) + see_also(pages);
}

/// From the text of `gxe -help`: "NAME: WHAT", then entries "  FLAG VALUE   TEXT" and paragraphs.
std::string page_of_gxe(std::string_view usage) {
  std::string text;
  while (!usage.empty()) {
    const std::size_t end = std::min(usage.find('\n'), usage.size());
    const std::string_view line = usage.substr(0, end);
    usage.remove_prefix(std::min(end + 1, usage.size()));
    if (text.empty()) {
      text = heading("gxe", line.substr(line.find(' ') + 1)) + ".SH SYNOPSIS\n" + bold("gxe") +
             " " + italic("FLAG") + "...\n.SH FLAGS\n";
    } else if (line.starts_with("  ")) {
      const std::size_t column = line.find("  ", 2);
      const std::size_t help = line.find_first_not_of(' ', std::min(column, line.size()));
      text += ".TP\n" +
              bold(line.substr(2, column == std::string_view::npos ? column : column - 2)) + "\n" +
              (help == std::string_view::npos ? "\\&" : roff(line.substr(help))) + "\n";
    } else if (!line.empty()) {
      text += ".PP\n" + roff(line) + "\n";
    }
  }
  return text + see_also({"gxr"});
}

std::string page_of_declare() {
  return heading("gxr-declare", "lists the types of an extension") + ".SH SYNOPSIS\n" +
         bold("gxr-declare") + " " + italic("EXTENSION.so") + " " + italic("OUTPUT.json") +
         "\n.SH DESCRIPTION\nLoads an extension, calls its function " + bold("gxr_extension") +
         ", makes one object of each type that is not abstract, and calls its " + bold("declare") +
         ". Writes the types with their parameters, ports and texts as JSON.\n.PP\nThe CMake "
         "function " +
         bold("gxr_add_extension") + " runs it after linking, and stores the list in the section " +
         bold(".gxr.types") +
         " of the library. From then on gxr knows the types without loading the library.\n.PP\n"
         "It refuses names and keys that occur twice, types without a stable name, defaults that "
         "are not allowed, and constructors and declarations that throw or have side effects.\n"
         ".SH EXIT STATUS\n.TP\n" +
         bold("0") + "\nThe list is written.\n.TP\n" + bold("1") +
         "\nThe library cannot be loaded, or its declarations have mistakes.\n.TP\n" + bold("2") +
         "\nWrong usage, or the output cannot be written.\n" + see_also({"gxr", "gxr-describe"});
}

}  // namespace

std::vector<std::pair<std::string, std::string>> manual_pages(const CommandTable& table,
                                                              std::string_view gxe_usage) {
  std::vector<std::pair<std::string, std::string>> pages = {{"gxr.1", page_of(table)}};
  for (const CommandEntry& command : table.commands) {
    pages.emplace_back("gxr-" + command.name + ".1", page_of(command));
  }
  pages.emplace_back("gxe.1", page_of_gxe(gxe_usage));
  pages.emplace_back("gxr-declare.1", page_of_declare());
  return pages;
}

}  // namespace gxr::commands
