#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include <CLI/CLI.hpp>

#include "commands/commands.hpp"

namespace {

using namespace gxr::commands;

/// What did not reach standard output was asked for, so a full disk must not look like success.
int with_output_written(int exit_code) {
  const int flushed = std::fflush(stdout);
  const int reason = errno;
  if (flushed == 0 && std::ferror(stdout) == 0) {
    return exit_code;
  }
  std::fprintf(stderr, "error: cannot write standard output%s%s\n", flushed != 0 ? ": " : "",
               flushed != 0 ? std::strerror(reason) : "");
  return kUsage;
}

bool is_called_gxe(const char* program) {
  const std::string_view name(program);
  return name.substr(name.rfind('/') + 1) == "gxe";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 0 && is_called_gxe(argv[0])) {
    return gxe({argv + 1, argv + argc});
  }
  CLI::App app("Runs graph applications written in YAML.", "gxr");
  app.require_subcommand(1);
  app.set_version_flag("--version", "gxr " GXR_VERSION);
  int exit_code = kDone;
  add_run(app, exit_code);
  add_set(app, exit_code);
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
    return with_output_written(app.exit(error) == 0 ? kDone : kUsage);
  }
  return with_output_written(exit_code);
}
