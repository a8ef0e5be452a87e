#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include <CLI/CLI.hpp>

#include "commands/command_table.hpp"
#include "commands/commands.hpp"
#include "commands/gxe_flags.hpp"
#include "commands/manual_page.hpp"
#include "commands/output.hpp"
#include "gxr/error.hpp"

namespace gxr::commands {
namespace {

int write_pages(CLI::App& app, const std::string& folder) {
  try {
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    for (const auto& [name, text] : manual_pages(command_table(app), gxe_usage())) {
      write_output(text, folder + "/" + name);
    }
    return kDone;
  } catch (const Error& error) {
    print_error(error.message());
    return kUsage;
  }
}

}  // namespace

void add_man(CLI::App& app, int& exit_code) {
  auto folder = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("man", "Write the manual pages, for the build of gxr");
  command->group("");  // not in --help
  command->add_option("FOLDER", *folder, "Folder of the pages")->required();
  command->callback([folder, &app, &exit_code] { exit_code = write_pages(app, *folder); });
}

}  // namespace gxr::commands
