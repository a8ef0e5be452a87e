#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include "catch.hpp"
#include "document/diagnostics.hpp"

namespace {

bool is_kebab_case(const std::string& name) {
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; }) &&
         name.front() != '-' && name.back() != '-';
}

}  // namespace

TEST_CASE("the table has every code in its place", "[document][diagnostics]") {
  const std::vector<gxr::DiagnosticInfo>& table = gxr::diagnostic_table();
  constexpr auto kLast = static_cast<std::size_t>(gxr::DiagnosticCode::RankClock);
  REQUIRE(table.size() == kLast + 1);
  for (std::size_t i = 0; i < table.size(); ++i) {
    INFO(table[i].name);
    CHECK(static_cast<std::size_t>(table[i].code) == i);
    CHECK(&gxr::info(table[i].code) == &table[i]);
  }
}

TEST_CASE("names are stable words, explanations show wrong and right", "[document][diagnostics]") {
  std::set<std::string> names;
  for (const gxr::DiagnosticInfo& entry : gxr::diagnostic_table()) {
    INFO(entry.name);
    const std::string explanation = entry.explanation;
    CHECK(is_kebab_case(entry.name));
    CHECK(names.insert(entry.name).second);
    CHECK(std::string(entry.title).size() > 10);
    CHECK(explanation.size() > 100);
    CHECK(explanation.find("\nwrong:\n    ") != std::string::npos);
    CHECK(explanation.find("\nright:\n    ") != std::string::npos);
    CHECK((entry.severity == gxr::Severity::Error || !entry.gxf_tolerates));
  }
  CHECK(std::string(gxr::info(gxr::DiagnosticCode::UnknownType).name) == "unknown-type");
  CHECK(std::string(gxr::info(gxr::DiagnosticCode::CycleWithoutStart).name) ==
        "cycle-without-start");
}
