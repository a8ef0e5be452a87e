#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "language/answers.hpp"

namespace gxr::language {
namespace {

constexpr const char* kPath = "/nowhere/develop.yaml";

/// Of the prefixes, every one, and with AddressSanitizer every fifth, unless GXR_TEST_ALL is in the
/// environment: all of them take it a minute.
std::size_t step() {
#ifdef __SANITIZE_ADDRESS__
  return std::getenv("GXR_TEST_ALL") != nullptr ? 1 : 5;
#else
  return 1;
#endif
}

std::string develop() {
  std::ifstream stream(std::string(GXR_SOURCE_DIR) + "/apps/develop/develop.yaml");
  return {std::istreambuf_iterator<char>(stream), {}};
}

Workspace workspace_with_extensions() {
  WorkspaceOptions options;
  for (const char* const name : {"std", "image"}) {
    options.extensions.push_back(std::string(GXR_BINARY_DIR) + "/extensions/" + name + ".so");
  }
  Workspace workspace(std::move(options));
  workspace.open(kPath, std::string("file://") + kPath, "", 1);
  return workspace;
}

/// The place behind a text, as a request names it.
Json end_of(const std::string& text) {
  const Position end = Text(text).position_of(text.size());
  return {{"textDocument", {{"uri", std::string("file://") + kPath}}},
          {"position", {{"line", end.line}, {"character", end.character}}}};
}

/// Is a range of the protocol in the text, and does it not end before it begins?
bool is_in(const Json& range, const std::string& text) {
  const Range found = range_in(range);
  const Position end = Text(text).position_of(text.size());
  return !(found.end < found.begin) && !(end < found.end);
}

struct Answers {
  std::size_t proposals = 0;
  std::size_t hovers = 0;
  std::size_t diagnostics = 0;
};

void ask_for_proposals(Workspace& workspace, const std::string& text, Answers& answers) {
  const Json at = end_of(text);
  for (const Json& item : complete(workspace, at)) {
    REQUIRE(is_in(item.at("textEdit").at("range"), text));
    REQUIRE(item.at("textEdit").at("range").at("end") == at.at("position"));
    ++answers.proposals;
  }
}

void ask_for_hover(Workspace& workspace, const std::string& text, Answers& answers) {
  const Json found = hover(workspace, end_of(text.substr(0, text.size() / 2)));
  if (!found.is_null()) {
    REQUIRE(is_in(found.at("range"), text));
    REQUIRE_FALSE(found.at("contents").at("value").get<std::string>().empty());
    ++answers.hovers;
  }
}

void ask_for_diagnostics(Workspace& workspace, const std::string& text, Answers& answers) {
  workspace.refresh();
  for (const auto& application : workspace.applications()) {
    for (const Json& each : diagnostics_of(*application, kPath, workspace)) {
      REQUIRE(is_in(each.at("range"), text));
      ++answers.diagnostics;
    }
  }
}

TEST_CASE("Each prefix of an application has proposals, texts and diagnostics in it") {
  const std::string whole = develop();
  REQUIRE(whole.size() > 1000);
  Workspace workspace = workspace_with_extensions();
  Answers answers;
  for (std::size_t size = 0; size <= whole.size(); size += step()) {
    const std::string text = whole.substr(0, size);
    INFO("behind " << text.substr(size < 40 ? 0 : size - 40));
    workspace.change(kPath, std::nullopt, text);
    ask_for_diagnostics(workspace, text, answers);
    ask_for_proposals(workspace, text, answers);
    ask_for_hover(workspace, text, answers);
  }
  CHECK(answers.proposals > whole.size() / step());
  CHECK(answers.hovers > whole.size() / 8 / step());
  CHECK(answers.diagnostics > whole.size() / 4 / step());
}

TEST_CASE("An application that is typed to its end has no diagnostics") {
  const std::string whole = develop();
  Workspace workspace = workspace_with_extensions();
  workspace.change(kPath, std::nullopt, whole);
  Answers answers;
  ask_for_diagnostics(workspace, whole, answers);
  CHECK(answers.diagnostics == 0);
}

}  // namespace
}  // namespace gxr::language
