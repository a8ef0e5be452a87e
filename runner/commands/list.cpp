#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "commands/list_devices.hpp"
#include "commands/list_topics.hpp"
#include "commands/load.hpp"
#include "commands/number_option.hpp"
#include "commands/output.hpp"
#include "commands/text_layout.hpp"
#include "commands/topic_browsers.hpp"
#include "commands/type_description.hpp"
#include "commands/type_table.hpp"
#include "document/diagnostics.hpp"
#include "document/number_text.hpp"
#include "gxr/error.hpp"
#include "rank_run/mpi_library.hpp"

namespace gxr::commands {
namespace {

using Json = nlohmann::ordered_json;

struct ListOptions {
  CatalogOptions catalog;
  std::string what;
  std::string base;
  std::string format = "text";
  TopicNetwork network;
  std::uint64_t wait_ms = 1000;
  [[nodiscard]] bool json() const { return format == "json"; }
};

void print_broken(const TypeCatalog& catalog) {
  for (const std::string& reason : catalog.broken()) {
    print_warning("left out: " + reason);
  }
}

// --- extensions --------------------------------------------------------------------------------

void print_extensions(const std::vector<const ExtensionFile*>& files) {
  std::size_t widest = 0;
  for (const ExtensionFile* file : files) {
    widest = std::max(widest, title(*file).size());
  }
  for (const ExtensionFile* file : files) {
    std::string text(file->descriptor.description);
    text += (text.empty() ? "" : "; ") + counted(file->readable_types(), "type", "types");
    print_text(entry(title(*file), text, 0, widest + 2));
  }
}

Json extensions_as_json(const std::vector<const ExtensionFile*>& files) {
  Json list = Json::array();
  for (const ExtensionFile* file : files) {
    const ExtensionDescriptor& d = file->descriptor;
    Json& item = list.emplace_back(Json{{"name", d.name},
                                        {"version", d.version},
                                        {"license", d.license},
                                        {"description", d.description}});
    if (!file->provided) {
      item["file"] = file->path.string();
    }
    item["types"] = file->readable_types();
  }
  return list;
}

int list_extensions(const TypeCatalog& catalog, const ListOptions& options) {
  if (options.json()) {
    print(extensions_as_json(catalog.extensions()));
  } else {
    print_extensions(catalog.extensions());
  }
  return kDone;
}

// --- types -------------------------------------------------------------------------------------

std::vector<const TypeInfo*> select(const TypeCatalog& catalog, const std::string& base) {
  std::vector<const TypeInfo*> types = catalog.types();
  if (!base.empty()) {
    types.erase(std::remove_if(types.begin(), types.end(),
                               [&](const TypeInfo* type) { return !catalog.is_a(*type, base); }),
                types.end());
  }
  return types;
}

/// The types under a line for each extension.
void print_types(const TypeCatalog& catalog, const std::vector<const TypeInfo*>& types) {
  bool first = true;
  for (const ExtensionFile* file : catalog.extensions()) {
    std::vector<const TypeInfo*> own;
    std::copy_if(types.begin(), types.end(), std::back_inserter(own),
                 [&](const TypeInfo* type) { return catalog.file_of(*type) == file; });
    if (!own.empty()) {
      print_text((first ? "" : "\n") + title(*file) + "\n" + type_table(own, 2));
      first = false;
    }
  }
}

Json types_as_json(const std::vector<const TypeInfo*>& types) {
  Json list = Json::array();
  for (const TypeInfo* type : types) {
    list.push_back({{"name", type->name},
                    {"aliases", type->aliases},
                    {"base", type->base},
                    {"extension", type->extension},
                    {"headline", type->headline},
                    {"abstract", type->abstract},
                    {"component", type->component}});
  }
  return list;
}

int unknown_base(const TypeCatalog& catalog, const ListOptions& options) {
  Diagnostics problems;
  problems.add(DiagnosticCode::UnknownType, {}, 1, "unknown type '" + options.base + "'",
               suggestion(options.base, catalog.names()));
  return fail(problems, options.json(), kUsage);
}

int list_types(const TypeCatalog& catalog, const ListOptions& options) {
  if (!options.base.empty() && catalog.find(options.base) == nullptr) {
    return unknown_base(catalog, options);
  }
  const std::vector<const TypeInfo*> types = select(catalog, options.base);
  if (options.json()) {
    print(types_as_json(types));
  } else {
    print_types(catalog, types);
  }
  return kDone;
}

// --- transports --------------------------------------------------------------------------------

struct Transport {
  const char* name;
  std::string description;
  bool is_there;
};

std::vector<Transport> transports() {
  std::vector<Transport> all{
      {"sockets", "processes of one host, which 'gxr run --ranks N' starts", true}};
  try {
    all.push_back({"mpi",
                   "processes that 'gxr mpirun' or Slurm starts: " + describe_mpi() +
                       "; data on a GPU goes through system memory",
                   true});
  } catch (const Error& error) {
    all.push_back({"mpi", std::string("not there: ") + error.message(), false});
  }
  return all;
}

int list_transports(const ListOptions& options) {
  Json list = Json::array();
  for (const Transport& each : transports()) {
    if (options.json()) {
      list.push_back(
          {{"name", each.name}, {"description", each.description}, {"available", each.is_there}});
    } else {
      print_text(entry(each.name, each.description, 0, 9));
    }
  }
  if (options.json()) {
    print(list);
  }
  return kDone;
}

int list(const ListOptions& options) {
  if (options.what == "transports") {
    return list_transports(options);
  }
  if (options.what == "devices") {
    return list_devices(options.json());
  }
  const auto [catalog, exit_code] = load_catalog(options.catalog, options.json());
  if (exit_code != kDone) {
    return exit_code;
  }
  if (options.what == "topics") {
    return list_topics(catalog, options.network, options.wait_ms, options.json());
  }
  const int code =
      options.what == "types" ? list_types(catalog, options) : list_extensions(catalog, options);
  print_broken(catalog);
  return code;
}

}  // namespace

void add_list(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command = app.add_subcommand(
      "list", "List the extensions, types, topics, transports or GPUs that are found");
  command->add_option("WHAT", options->what, "extensions, types, topics, transports or devices")
      ->required()
      ->check(CLI::Validator(
          [](const std::string& what) {
            return what == "operators" || what == "codelets"
                       ? what + " are types: 'gxr list types --base gxr::Codelet' lists them"
                       : std::string();
          },
          ""))
      ->check(CLI::IsMember({"extensions", "types", "topics", "transports", "devices"}));
  command->add_option("--base", options->base, "Only types derived from this type")
      ->type_name("TYPE");
  command->add_option("--format", options->format, "Form of the output")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  add_network_options(*command, options->network, "Of topics: ");
  add_count_option(*command, "--wait", kLongestTopicWait,
                   "Of topics: milliseconds in which they are looked for (1000)",
                   [options](std::uint64_t wait) { options->wait_ms = wait; });
  options->catalog.add_to(*command);
  command->callback([options, &exit_code] {
    if (options->json()) {
      reserve_standard_output();
    }
    exit_code = list(*options);
  });
}

}  // namespace gxr::commands
