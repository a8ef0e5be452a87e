#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/graph.hpp"
#include "ranks/rank_map.hpp"
#include "registry/type_catalog.hpp"

namespace CLI {
class App;
}

namespace gxr::commands {

/// Options of every command that reads an application.
struct ApplicationOptions {
  std::vector<std::string> files;
  std::vector<std::string> line;  ///< what describes the application of `gxr launch`; then no files
  std::vector<std::string> manifests;
  std::vector<std::string> extensions;
  std::vector<std::string> parameters;
  std::vector<std::string> parameter_files;
  std::optional<std::string>
      watched_file;  ///< --watch of `gxr run`: another parameter file, after those
  std::optional<std::string> place_file;  ///< --place
  Rank ranks = 0;                         ///< --ranks; 0: one process
  std::string root;                       ///< --app-root
  std::string executor;
  std::string device;                 ///< --device
  std::size_t greatest_number = 100;  ///< of problems that are printed as text; 0: all
  bool compat_gxf = false;
  bool takes_components_alone = false;  ///< entities are made around components that have none

  /// Adds the options and the positional FILE… to a sub-command.
  void add_to(CLI::App& command);
  /// Adds the options that need no files.
  void add_options_to(CLI::App& command);
  /// The name of the application in messages: its files, or the source of a line.
  [[nodiscard]] std::vector<std::string> names() const;
};

/// Options of commands that only look at extensions (list, describe, schema): -x and -m.
struct CatalogOptions {
  std::vector<std::string> manifests;
  std::vector<std::string> extensions;
  void add_to(CLI::App& command);
};

/// An application brought to the Graph stage; problems are in `diagnostics`.
struct LoadedApplication {
  explicit LoadedApplication(const ApplicationOptions& options)
      : names(options.names()),
        diagnostics(options.compat_gxf),
        greatest_number(options.greatest_number) {}
  std::vector<std::string> names;  ///< those of the options
  Document document;
  TypeCatalog catalog;
  Diagnostics diagnostics;
  std::size_t greatest_number;  ///< of problems that print_diagnostics() prints; 0: all
  Graph graph;
  /// 0, kUsage (a file is missing), kExtensionNotLoadable or kInvalidApplication, from the
  /// diagnostics.
  [[nodiscard]] int exit_code() const;
  /// Memory ended while gxr was `doing` something with the application ("plan").
  void report_no_memory(const std::string& doing);
  /// Are types, or the extensions that have them, missing from an application that could be read
  /// otherwise? Such an application can be drawn and printed.
  [[nodiscard]] bool lacks_types() const;
  /// Are all errors about what is to be around the entities and components, which are themselves
  /// right? Such a part of an application can be drawn.
  [[nodiscard]] bool lacks_surroundings() const;
};

/// Parses, finds extensions, resolves. Runs no code of any extension in this process. Does not
/// print.
std::unique_ptr<LoadedApplication> load_application(const ApplicationOptions& options);
/// Catalog alone, for list, describe and schema.
struct LoadedCatalog {
  TypeCatalog catalog;
  int exit_code;  ///< not kDone when an explicit extension or a manifest cannot be read
};
/// Prints problems to standard error. With `json`, standard output has them as data when there is
/// no catalog to go on with.
LoadedCatalog load_catalog(const CatalogOptions& options, bool json = false);

/// Prints the diagnostics to standard error as text (colour when it is a terminal and NO_COLOR is
/// not set), with a closing count "2 errors, 1 warning"; nothing when there are none. After as many
/// as --max-diagnostics allows it only says how many more there are.
void print_diagnostics(const LoadedApplication& application);
/// Prints all of them to standard output as JSON.
void print_diagnostics_as_json(const LoadedApplication& application);

/// For a command without a result: prints what is wrong to standard error and, with `json`, to
/// standard output in the form of `gxr validate --format json`. Returns `exit_code`.
/// Problems in files have their places in `sources`.
int fail(const Diagnostics& problems, bool json, int exit_code, const SourceMap& sources = {});

}  // namespace gxr::commands
