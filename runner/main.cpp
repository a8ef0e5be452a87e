#include <CLI/CLI.hpp>

#include "commands/commands.hpp"

int main(int argc, char** argv) {
  using namespace gxr::commands;
  CLI::App app("Runs graph applications written in YAML.", "gxr");
  app.require_subcommand(1);
  app.set_version_flag("--version", "gxr " GXR_VERSION);
  int exit_code = kDone;
  add_run(app, exit_code);
  add_validate(app, exit_code);
  add_expand(app, exit_code);
  add_plan(app, exit_code);
  add_graph(app, exit_code);
  add_list(app, exit_code);
  add_describe(app, exit_code);
  add_explain(app, exit_code);
  add_schema(app, exit_code);
  add_replay_info(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 has codes of its own for each kind of mistake; for us all of them are wrong usage.
    return app.exit(error) == 0 ? kDone : kUsage;
  }
  return exit_code;
}
