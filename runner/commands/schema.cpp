#include <cstdio>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "commands/commands.hpp"
#include "commands/load.hpp"
#include "commands/output.hpp"
#include "gxr/error.hpp"
#include "registry/file_schema.hpp"

namespace gxr::commands {
namespace {

struct SchemaOptions {
  CatalogOptions catalog;
  std::string what;
  std::string output;
};

std::string make_schema(const SchemaOptions& options, const TypeCatalog& catalog) {
  if (options.what == "manifest") {
    return manifest_schema();
  }
  return options.what == "app" ? app_schema(catalog) : parameters_schema(catalog);
}

int schema(const SchemaOptions& options) {
  const auto [catalog, exit_code] = load_catalog(options.catalog);
  if (exit_code != kDone) {
    return exit_code;
  }
  try {
    const std::string text = make_schema(options, catalog);
    for (const std::string& reason : catalog.broken()) {  // known when all types have been read
      print_warning("left out: " + reason);
    }
    write_output(text, options.output);
    return kDone;
  } catch (const Error& error) {
    print_error(error.what());
    return kUsage;
  }
}

}  // namespace

void add_schema(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<SchemaOptions>();
  CLI::App* command =
      app.add_subcommand("schema", "Write a JSON Schema, for completion and checks in editors");
  command->add_option("WHAT", options->what, "app, manifest or parameters")
      ->required()
      ->check(CLI::IsMember({"app", "manifest", "parameters"}));
  command->add_option("-o,--output", options->output, "Write to a file")->type_name("FILE");
  options->catalog.add_to(*command);
  command->callback([options, &exit_code] { exit_code = schema(*options); });
}

}  // namespace gxr::commands
