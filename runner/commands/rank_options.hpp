#pragma once

namespace CLI {
class App;
}

namespace gxr::commands {

struct ApplicationOptions;

/// Adds --ranks and --place, whose values are members of `options`. `help`: of --ranks.
void add_rank_options(CLI::App& command, const char* help, ApplicationOptions& options);
/// Adds --place alone.
void add_place_option(CLI::App& command, ApplicationOptions& options);

}  // namespace gxr::commands
