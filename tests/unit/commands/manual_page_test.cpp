#include "commands/manual_page.hpp"

#include <string>

#include "catch.hpp"
#include "commands/completion_scripts.hpp"

namespace {

using namespace gxr::commands;
using Catch::Matchers::ContainsSubstring;

CommandTable table_with(const std::string& help) {
  OptionEntry option;
  option.names = {"-o", "--output"};
  option.value = "FILE";
  option.help = help;
  option.completes = Completes::Files;
  CommandTable table;
  table.program.name = "gxr";
  table.program.help = "Runs.";
  table.commands = {{"draw", "Draw it", {option}, {}}};
  return table;
}

std::string page_with(const std::string& help) {
  return manual_pages(table_with(help), "gxe: runs\n").at(1).second;
}

}  // namespace

TEST_CASE("roff takes nothing of a text for a request or an escape", "[manual_page]") {
  CHECK_THAT(page_with(".TH \\fB"), ContainsSubstring("\n\\&.TH \\efB\n"));
  CHECK_THAT(page_with("'s a-b"), ContainsSubstring("\n\\&'s a\\-b\n"));
}

TEST_CASE("flags of gxe become entries, other lines paragraphs", "[manual_page]") {
  const auto pages = manual_pages(
      table_with(""), "gxe: runs it\n\n  -app FILE   files\n  -help, -version\n\nMore.\n");
  REQUIRE(pages.size() > 1);
  const auto& page = *(pages.end() - 2);  // that of gxr-declare is behind it
  REQUIRE(page.first == "gxe.1");
  CHECK_THAT(page.second, ContainsSubstring("gxe \\- runs it\n") &&
                              ContainsSubstring(".TP\n\\fB\\-app FILE\\fR\nfiles\n.TP\n"
                                                "\\fB\\-help, \\-version\\fR\n\\&\n.PP\nMore.\n"));
}

TEST_CASE("shells take a help text for one word", "[completion_scripts]") {
  const CommandTable table = table_with("it's [a]: b");
  CHECK_THAT(zsh_completion(table, {}),
             ContainsSubstring("'(-o --output)-o[it'\\''s \\[a\\]\\: b]:FILE:_files'"));
  CHECK_THAT(fish_completion(table, {}),
             ContainsSubstring(" -s o -l output -r -F -d 'it'\\''s [a]: b'\n"));
  CHECK_THAT(bash_completion(table, {}),
             ContainsSubstring("'draw -o' | 'draw --output') kind='files' ;;"));
}
