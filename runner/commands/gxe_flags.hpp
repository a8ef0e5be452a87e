#pragma once

#include <string>
#include <vector>

#include "commands/command_table.hpp"

namespace gxr::commands {

/// The command line of GXF's executable gxe.
struct GxeFlags {
  std::string app;
  std::string manifest;
  std::string app_root;
  std::string graph_directory;
  std::string log_file_path;
  int severity = -1;
  bool run = true;
  std::vector<std::string> parameters;
  bool help = false;
  bool version = false;
};

/// Reads flags with one or two dashes: `-x=v`, `-x v`, `-norun`, and `--param=…` any number of
/// times. Other arguments are passed over, as in GXF. Throws Error(InvalidArgument).
GxeFlags read_gxe_flags(const std::vector<std::string>& arguments);
/// What --help prints.
std::string gxe_usage();
/// The flags as options of a command.
CommandEntry gxe_command();

}  // namespace gxr::commands
