#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "commands/command_table.hpp"
#include "commands/commands.hpp"
#include "commands/output.hpp"
#include "document/diagnostics.hpp"

namespace gxr::commands {
namespace {

struct ExplainOptions {
  std::string code;
  bool all = false;
};

std::string severity_text(const DiagnosticInfo& info) {
  if (info.severity == Severity::Warning) {
    return "warning";
  }
  return info.gxf_tolerates ? "error; a warning with --compat gxf" : "error";
}

/// One code as a section of a Markdown page, where a blank line stands before examples.
std::string section(const DiagnosticInfo& info) {
  std::string text = "### " + std::string(info.name) + "\n\n" + info.title + " (" +
                     severity_text(info) + ").\n\n" + info.explanation + "\n";
  for (const char* word : {"\nwrong:\n", "\nright:\n"}) {
    const std::size_t found = text.find(word);
    if (found != std::string::npos) {
      text.insert(found + std::string_view(word).size(), "\n");
    }
  }
  return text;
}

std::string text_of(const DiagnosticInfo& info) {
  return std::string(info.name) + ": " + info.title + " (" + severity_text(info) + ")\n\n" +
         info.explanation + "\n";
}

void print_list() {
  std::size_t width = 0;
  for (const DiagnosticInfo& info : diagnostic_table()) {
    width = std::max(width, std::string_view(info.name).size());
  }
  for (const DiagnosticInfo& info : diagnostic_table()) {
    std::printf("%-*s  %-7s  %s\n", static_cast<int>(width), info.name,
                info.severity == Severity::Error ? "error" : "warning", info.title);
  }
}

void print_all() {
  const char* between = "";
  for (const DiagnosticInfo& info : diagnostic_table()) {
    std::printf("%s%s", between, section(info).c_str());
    between = "\n";
  }
}

/// "did you mean 'cycle-without-start'?" for a name that has the word, or nothing.
std::string name_with(const std::string& word, const std::vector<std::string_view>& names) {
  std::string found;
  for (const std::string_view name : names) {
    const std::string text = "-" + std::string(name) + "-";
    if (!word.empty() && text.find("-" + word + "-") != std::string::npos) {
      found += (found.empty() ? "did you mean '" : " or '") + std::string(name) + "'";
    }
  }
  return found.empty() ? found : found + "?";
}

int print_one(const std::string& code) {
  std::vector<std::string_view> names;
  for (const DiagnosticInfo& info : diagnostic_table()) {
    if (info.name == code) {
      std::fputs(text_of(info).c_str(), stdout);
      return kDone;
    }
    names.emplace_back(info.name);
  }
  const std::string nearest = suggestion(code, names);
  const std::string hint = nearest.empty() ? name_with(code, names) : nearest;
  print_error("there is no diagnostic '" + code + "'");
  std::fprintf(stderr, "hint: %s\n", hint.empty() ? "'gxr explain' lists all" : hint.c_str());
  return kUsage;
}

int explain(const ExplainOptions& options) {
  if (options.all) {
    print_all();
  } else if (options.code.empty()) {
    print_list();
  } else {
    return print_one(options.code);
  }
  return kDone;
}

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand("explain", "Explain a diagnostic, or list all");
  completes(command->add_option("CODE", options->code,
                                "Name of the diagnostic, as in error[unknown-type]"),
            Completes::Diagnostics);
  command->add_flag("--all", options->all, "Print all explanations as Markdown");
  command->callback([options, &exit_code] { exit_code = explain(*options); });
}

}  // namespace gxr::commands
