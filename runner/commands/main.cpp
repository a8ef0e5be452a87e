#include <cstdio>
#include <new>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "commands/commands.hpp"
#include "commands/output.hpp"
#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "launcher/entries.hpp"
#include "observe/file_size_signal.hpp"

namespace {

using namespace gxr::commands;

/// What did not reach standard output was asked for, so a full disk must not look like success.
int with_output_written(int exit_code) { return finish_output() ? exit_code : kUsage; }

bool is_called_gxe(const char* program) {
  const std::string_view name(program);
  return name.substr(name.rfind('/') + 1) == "gxe";
}

}  // namespace

int gxr_main(int argc, char** argv) {
  gxr::let_writes_fail_at_size_limit();
  if (argc > 0 && is_called_gxe(argv[0])) {
    return gxe({argv + 1, argv + argc});
  }
  CLI::App app("Runs graph applications written in YAML.", "gxr");
  app.require_subcommand(1);
  app.set_version_flag("--version", version_text());
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
  add_new(app, exit_code);
  add_completion(app, exit_code);
  add_man(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 has codes of its own for each kind of mistake; for us all of them are wrong usage.
    if (error.get_exit_code() == 0) {
      app.exit(error);  // prints the help or the version
      return with_output_written(kDone);
    }
    const std::string text = CLI::FailureMessage::simple(&app, error);
    std::fputs(gxr::printable_lines(text, "").c_str(), stderr);
    return with_output_written(kUsage);
  } catch (const std::bad_alloc&) {
    std::fputs("error: there is not enough memory\n", stderr);
    return kUsage;
  } catch (const gxr::Error& error) {
    print_error(error.what());
    return with_output_written(kUsage);
  }
  return with_output_written(exit_code);
}
