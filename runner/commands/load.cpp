#include "commands/load.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "commands/command_table.hpp"
#include "commands/commands.hpp"
#include "commands/number_option.hpp"
#include "commands/output.hpp"
#include "control/watched_file.hpp"
#include "document/number_text.hpp"
#include "document/utf8.hpp"
#include "graph/launch.hpp"
#include "graph/part_alone.hpp"
#include "graph/resolve.hpp"
#include "gxr/error.hpp"
#include "plan/executors.hpp"
#include "registry/extension_search.hpp"

namespace gxr::commands {
namespace {

/// "a,b" names two files, unless a file of that very name exists.
std::vector<std::string> split_list(const std::vector<std::string>& arguments) {
  std::vector<std::string> parts;
  for (const std::string& argument : arguments) {
    std::error_code ignored;
    if (argument.find(',') == std::string::npos || std::filesystem::exists(argument, ignored)) {
      parts.push_back(argument);
      continue;
    }
    std::size_t begin = 0;
    while (begin <= argument.size()) {
      const std::size_t end = std::min(argument.find(',', begin), argument.size());
      if (end > begin) {
        parts.push_back(argument.substr(begin, end - begin));
      }
      begin = end + 1;
    }
  }
  return parts;
}

/// As GXF does it: absolute names stay, and so does standard input.
std::string below_root(const std::string& root, const std::string& file) {
  return root.empty() || file == "-" || file.starts_with('/') ? file : root + "/" + file;
}

void add_list(CLI::App& command, const char* name, std::vector<std::string>& target,
              const char* type, const char* help, Completes what = Completes::Nothing) {
  completes(command.add_option(name, target, help)->allow_extra_args(false)->type_name(type), what);
}

bool is_extension_code(DiagnosticCode code) {
  switch (code) {
    case DiagnosticCode::ManifestInvalid:
    case DiagnosticCode::ExtensionNotFound:
    case DiagnosticCode::ExtensionInvalid:
    case DiagnosticCode::ExtensionIncompatible:
    case DiagnosticCode::PythonPackage:
    case DiagnosticCode::PythonModule:
    case DiagnosticCode::TypeInTwoExtensions:
      return true;
    default:
      return false;
  }
}

bool is_usage_code(DiagnosticCode code) {
  return code == DiagnosticCode::FileNotFound || code == DiagnosticCode::FileUnreadable ||
         code == DiagnosticCode::OutOfMemory || code == DiagnosticCode::OverrideSyntax;
}

bool use_color() { return ::isatty(STDERR_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr; }

void print_to_stderr(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void print_as_json(const Diagnostics& diagnostics, const SourceMap& sources) {
  print_json(render_json(diagnostics, sources));
}

int exit_code_of(const Diagnostics& diagnostics) {
  int code = kDone;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.severity != Severity::Error) {
      continue;
    }
    if (is_usage_code(diagnostic.code)) {
      return kUsage;
    }
    if (is_extension_code(diagnostic.code)) {
      code = kExtensionNotLoadable;
    } else if (code == kDone) {
      code = kInvalidApplication;
    }
  }
  return code;
}

std::vector<std::string> names_of_executors() {
  std::vector<std::string> names;
  for (const ExecutorEntry& entry : executors()) {
    names.emplace_back(entry.name);
  }
  return names;
}

}  // namespace

void ApplicationOptions::add_to(CLI::App& command) {
  completes(
      command.add_option("FILE", files, "Application files; '-' is standard input")->required(),
      Completes::Yaml);
  command
      .add_option("--app-root", root,
                  "Folder in which relative names of application files, subgraph files and files "
                  "in parameters begin")
      ->type_name("FOLDER");
  add_options_to(command);
}

void ApplicationOptions::add_options_to(CLI::App& command) {
  add_list(command, "-m,--manifest", manifests, "FILE",
           "Manifest that lists extensions (repeatable)", Completes::Yaml);
  add_list(command, "-x,--extension", extensions, "FILE",
           "Extension library or Python file to use (repeatable)", Completes::Libraries);
  add_list(command, "-p,--param", parameters, "ENTITY/[COMPONENT/]PARAMETER=VALUE",
           "Sets a parameter (repeatable)");
  add_list(command, "--params", parameter_files, "FILE", "File of parameters to set (repeatable)",
           Completes::Yaml);
  command.add_option("--executor", executor, "Executor to use instead of the file's")
      ->check(CLI::IsMember(names_of_executors()));
  command
      .add_option("--device", device,
                  "Device of all components whose parameter 'device' leaves the choice, instead of "
                  "the file's")
      ->check(CLI::IsMember({"cpu", "gpu", "auto"}));
  add_count_option(command, "--max-diagnostics", 1'000'000'000,
                   "Print at most N problems as text; 0: all",
                   [this](std::uint64_t number) { greatest_number = number; })
      ->type_name("N")
      ->default_str(std::to_string(greatest_number));
  command
      .add_option_function<std::string>(
          "--compat", [this](const std::string&) { compat_gxf = true; },
          "gxf: report mistakes that GXF tolerates as warnings")
      ->check(CLI::IsMember({"gxf"}));
}

std::vector<std::string> ApplicationOptions::names() const {
  return line.empty() ? files : std::vector<std::string>{kLaunchSource};
}

void CatalogOptions::add_to(CLI::App& command) {
  add_list(command, "-m,--manifest", manifests, "FILE",
           "Manifest that lists extensions (repeatable)", Completes::Yaml);
  add_list(command, "-x,--extension", extensions, "FILE",
           "Extension library or Python file to use (repeatable)", Completes::Libraries);
}

int LoadedApplication::exit_code() const { return exit_code_of(diagnostics); }

void LoadedApplication::report_no_memory(const std::string& doing) {
  const std::string name = names.empty() ? std::string() : " of " + quote_text(names.front());
  diagnostics.add(DiagnosticCode::OutOfMemory, {}, 1,
                  "there is not enough memory to " + doing + " the application" + name);
}

bool LoadedApplication::lacks_types() const {
  return !graph.entities.empty() &&
         std::ranges::any_of(diagnostics.all(), [](const Diagnostic& diagnostic) {
           return diagnostic.severity == Severity::Error &&
                  (diagnostic.code == DiagnosticCode::UnknownType ||
                   is_extension_code(diagnostic.code));
         });
}

bool LoadedApplication::lacks_surroundings() const {
  return !graph.components.empty() &&
         std::ranges::all_of(diagnostics.all(), [&](const Diagnostic& diagnostic) {
           return diagnostic.severity != Severity::Error ||
                  gxr::lacks_surroundings(diagnostic, document);
         });
}

namespace {

/// A word that is not there, and has no ending.
bool is_hardly_file(const std::string& file) {
  std::error_code ignored;
  const std::filesystem::path path(file);
  return file != "-" && !path.has_parent_path() &&
         path.extension().string().find_first_not_of(".0123456789") == std::string::npos &&
         !std::filesystem::exists(path, ignored);
}

void load(const ApplicationOptions& options, LoadedApplication& application) {
  Diagnostics& diagnostics = application.diagnostics;
  std::optional<Launch> launch;
  if (!options.line.empty()) {
    launch.emplace(options.line, application.document, diagnostics);
  }
  const bool incomplete = std::ranges::any_of(options.parameters, [](const std::string& argument) {
    return argument.find('=') == std::string::npos;
  });
  for (const std::string& file : split_list(options.files)) {
    if (incomplete && is_hardly_file(file)) {
      continue;  // the value of that parameter
    }
    application.document.add_file(below_root(options.root, file), diagnostics);
  }
  if (options.takes_components_alone) {
    put_into_entities(application.document);
  }
  if (!options.device.empty()) {
    application.document.set_device(options.device);
  }
  for (const std::string& file : split_list(options.parameter_files)) {
    application.document.add_parameter_file(file, diagnostics);
  }
  if (options.watched_file) {
    add_watched_file(*options.watched_file, application.document, diagnostics);
  }
  if (options.place_file) {
    application.document.add_place_file(*options.place_file, diagnostics);
  }
  for (const std::string& argument : options.parameters) {
    application.document.add_override(argument, diagnostics);
  }
  resolve(
      application.document, {options.root},
      {options.extensions, split_list(options.manifests), installed_extension_folder()},
      diagnostics, application.catalog, application.graph,
      launch
          ? [&](const TypeCatalog&
                    catalog) { launch->add_documents(catalog, application.document, diagnostics); }
          : std::function<void(const TypeCatalog&)>());
  diagnostics.sort();
}

}  // namespace

std::unique_ptr<LoadedApplication> load_application(const ApplicationOptions& options) {
  auto application = std::make_unique<LoadedApplication>(options);
  std::string problem;
  try {
    load(options, *application);
    return application;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::OutOfMemory) {
      throw;
    }
    problem = error.message();
  } catch (const std::bad_alloc&) {
    // Said below.
  }
  application = nullptr;  // what was read takes the memory that a message needs
  application = std::make_unique<LoadedApplication>(options);
  if (problem.empty()) {
    application->report_no_memory("put together");
  } else {
    application->diagnostics.add(DiagnosticCode::OutOfMemory, {}, 1, problem);
  }
  return application;
}

LoadedCatalog load_catalog(const CatalogOptions& options, bool json) {
  Document document;
  Diagnostics diagnostics;
  TypeCatalog catalog = find_extensions(
      {options.extensions, split_list(options.manifests), installed_extension_folder()}, document,
      diagnostics);
  print_to_stderr(render_text(diagnostics, document.sources(), use_color()));
  const int exit_code = exit_code_of(diagnostics);
  if (json && exit_code != kDone) {
    print_as_json(diagnostics, document.sources());
  }
  return {std::move(catalog), exit_code};
}

void print_diagnostics(const LoadedApplication& application) {
  const Diagnostics& diagnostics = application.diagnostics;
  if (diagnostics.all().empty()) {
    return;
  }
  const std::size_t all = diagnostics.all().size();
  const std::size_t shown =
      application.greatest_number == 0 ? all : std::min(all, application.greatest_number);
  print_to_stderr(render_text(diagnostics, application.document.sources(), use_color(), shown));
  if (shown < all) {
    print_to_stderr("\n" + counted(all - shown, "more problem", "more problems") +
                    " not shown; --max-diagnostics 0 and 'gxr validate --format json' show all\n");
  }
  std::string summary;
  if (diagnostics.errors() > 0) {
    summary = counted(diagnostics.errors(), "error", "errors");
  }
  if (diagnostics.warnings() > 0) {
    summary +=
        (summary.empty() ? "" : ", ") + counted(diagnostics.warnings(), "warning", "warnings");
  }
  print_to_stderr(summary + "\n");
}

void print_diagnostics_as_json(const LoadedApplication& application) {
  print_as_json(application.diagnostics, application.document.sources());
}

int fail(const Diagnostics& problems, bool json, int exit_code, const SourceMap& sources) {
  for (const Diagnostic& problem : problems.all()) {
    std::string text = problem.text;
    if (problem.where.source != 0 && problem.where.known()) {
      text += "\n" + render_place(sources, problem.where, problem.length);
      text.pop_back();
    }
    text += problem.hint.empty() ? "" : "\nhint: " + problem.hint;
    for (const RelatedPlace& related : problem.related) {
      text += "\nnote: " + related.text;
    }
    print_error(text);
  }
  if (json) {
    print_as_json(problems, sources);
  }
  return exit_code;
}

}  // namespace gxr::commands
