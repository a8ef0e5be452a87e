#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands/command_table.hpp"

namespace gxr::commands {

/// File names and texts of the manual pages, in roff: gxr.1, a page for each command, gxe.1,
/// gxr-declare.1.
std::vector<std::pair<std::string, std::string>> manual_pages(const CommandTable& table,
                                                              std::string_view gxe_usage);

}  // namespace gxr::commands
