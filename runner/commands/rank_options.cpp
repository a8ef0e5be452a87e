#include "commands/rank_options.hpp"

#include <CLI/CLI.hpp>

#include "commands/command_table.hpp"
#include "commands/load.hpp"
#include "commands/number_option.hpp"
#include "graph/rank_key.hpp"

namespace gxr::commands {

void add_rank_options(CLI::App& command, const char* help, ApplicationOptions& options) {
  add_count_option(command, "--ranks", kGreatestRank + 1, help, [&](std::uint64_t number) {
    if (number == 0) {
      throw CLI::ValidationError("--ranks", "there is at least one rank");
    }
    options.ranks = static_cast<Rank>(number);
  })->type_name("N");
  add_place_option(command, options);
}

void add_place_option(CLI::App& command, ApplicationOptions& options) {
  completes(
      command
          .add_option("--place", options.place_file, "File that says which rank runs which entity")
          ->type_name("FILE"),
      Completes::Yaml);
}

}  // namespace gxr::commands
