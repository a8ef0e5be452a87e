#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands/command_table.hpp"
#include "commands/commands.hpp"
#include "commands/load.hpp"
#include "commands/message_description.hpp"
#include "commands/number_option.hpp"
#include "commands/output.hpp"
#include "commands/topic_browsers.hpp"
#include "commands/type_description.hpp"
#include "commands/type_page.hpp"
#include "document/diagnostics.hpp"
#include "gxr/error.hpp"
#include "registry/extension_reader.hpp"
#include "registry/extension_search.hpp"

namespace gxr::commands {
namespace {

using Json = nlohmann::ordered_json;

struct DescribeOptions {
  CatalogOptions catalog;
  std::string target;
  std::string format = "text";
  MessageQuestion messages;
  [[nodiscard]] bool json() const { return format == "json"; }
  [[nodiscard]] bool markdown() const { return format == "markdown"; }
};

bool names_a_file(const std::string& target) {
  return target.find('/') != std::string::npos ||
         (target.size() > 3 && (target.ends_with(".so") || target.ends_with(".py")));
}

int print_type(const TypeCatalog& catalog, const TypeInfo& type, const DescribeOptions& options) {
  if (options.json()) {
    print(describe_type_as_json(catalog, type));
  } else {
    print_text(options.markdown() ? type_page(type) : describe_type(catalog, type));
  }
  return kDone;
}

int print_extension(const TypeCatalog& catalog, const ExtensionFile& file,
                    const DescribeOptions& options) {
  if (options.json()) {
    print(describe_extension_as_json(file));
  } else {
    print_text(options.markdown() ? extension_page(catalog, file) : describe_extension(file));
  }
  return kDone;
}

int describe_file(const DescribeOptions& options) {
  try {
    const ExtensionFile file = read_extension_file(options.target);
    // Its types derive from types of others, which a page takes the kinds from.
    return options.markdown()
               ? print_extension(load_catalog(options.catalog, false).catalog, file, options)
               : print_extension({}, file, options);
  } catch (const Error& error) {
    Diagnostics problems;
    SourceMap sources;
    report_extension_error(error, options.target, sources, problems);
    const bool is_missing = problems.all().front().code == DiagnosticCode::ExtensionNotFound;
    return fail(problems, options.json(), is_missing ? kUsage : kExtensionNotLoadable, sources);
  }
}

const ExtensionFile* find_extension(const TypeCatalog& catalog, const std::string& name) {
  for (const ExtensionFile* file : catalog.extensions()) {
    if (name == file->descriptor.name) {
      return file;
    }
  }
  return nullptr;
}

std::string_view last_part(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

/// The type that `gxr launch` calls by this name, else the type whose name without namespaces is
/// `name`, when there is only one.
const TypeInfo* find_short(const TypeCatalog& catalog, const std::string& name) {
  if (const TypeInfo* const type = catalog.find("gxr::" + name)) {
    return type;
  }
  const TypeInfo* only = nullptr;
  for (const TypeInfo* type : catalog.types()) {
    if (last_part(type->name) == name) {
      if (only != nullptr) {
        return nullptr;
      }
      only = type;
    }
  }
  return only;
}

int unknown(const TypeCatalog& catalog, const DescribeOptions& options) {
  std::vector<std::string_view> candidates = catalog.names();
  for (const ExtensionFile* file : catalog.extensions()) {
    candidates.emplace_back(file->descriptor.name);
  }
  const std::string hint = suggestion(options.target, candidates);
  Diagnostics problems;
  Diagnostic& problem = problems.add(DiagnosticCode::UnknownType, {}, 1,
                                     "there is no type or extension '" + options.target + "'",
                                     hint.empty() ? "'gxr list types' shows all types" : hint);
  for (const std::string& reason : catalog.broken()) {
    problem.related.push_back({{}, "left out: " + reason});
  }
  return fail(problems, options.json(), kUsage);
}

int describe_name(const TypeCatalog& catalog, const DescribeOptions& options) {
  TypeCatalog::Conflict conflict;
  if (const TypeInfo* type = catalog.find(options.target, &conflict)) {
    return print_type(catalog, *type, options);
  }
  if (!conflict.first.empty()) {
    Diagnostics problems;
    problems.add(DiagnosticCode::TypeInTwoExtensions, {}, 1,
                 "type '" + options.target + "' is in two extensions: '" + conflict.first.string() +
                     "' and '" + conflict.second.string() + "'");
    return fail(problems, options.json(), kExtensionNotLoadable);
  }
  if (const ExtensionFile* file = find_extension(catalog, options.target)) {
    return print_extension(catalog, *file, options);
  }
  if (const TypeInfo* type = find_short(catalog, options.target)) {
    return print_type(catalog, *type, options);
  }
  return unknown(catalog, options);
}

int describe(DescribeOptions& options) {
  const bool is_of_messages = names_messages(options.target);
  if (!is_of_messages && names_a_file(options.target)) {
    return describe_file(options);
  }
  const auto [catalog, exit_code] = load_catalog(options.catalog, options.json());
  if (exit_code != kDone) {
    return exit_code;
  }
  if (is_of_messages) {
    options.messages.name = options.target;
    options.messages.json = options.json();
    return describe_messages(catalog, options.messages);
  }
  return describe_name(catalog, options);
}

}  // namespace

void add_describe(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<DescribeOptions>();
  CLI::App* command =
      app.add_subcommand("describe", "Describe a type, an extension, a file of one, or messages");
  completes(
      command
          ->add_option("NAME", options->target,
                       "Type, extension, FILE.so, FILE.py, topic as /camera/image, or type of "
                       "messages as sensor_msgs/msg/Image")
          ->required(),
      Completes::Types);
  command->add_option("--format", options->format, "Form of the output")
      ->check(CLI::IsMember({"text", "json", "markdown"}))
      ->capture_default_str();
  add_network_options(*command, options->messages.network, "Of a topic: ");
  add_count_option(
      *command, "--wait", kLongestTopicWait,
      "Milliseconds in which somebody must publish on the topic (5000)",
      [options](std::uint64_t wait) { options->messages.wait = std::chrono::milliseconds(wait); });
  command->add_flag("--ask", options->messages.asks,
                    "Ask the programs on a topic for types that gxr does not know; can crash other "
                    "programs with Cyclone DDS 0.10");
  options->catalog.add_to(*command);
  command->callback([options, &exit_code] {
    if (options->json()) {
      reserve_standard_output();
    }
    exit_code = describe(*options);
  });
}

}  // namespace gxr::commands
