#include "common/logger.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

#include <unistd.h>

#include "../application/captured.hpp"
#include "catch.hpp"
#include "common/assert.hpp"
#include "common/backtrace.hpp"
#include "log_lines.hpp"

using nvidia::Severity;

namespace {

std::string content(std::FILE* file) {
  std::string text(4096, ' ');
  std::fflush(file);
  text.resize(static_cast<std::size_t>(::pread(::fileno(file), text.data(), text.size(), 0)));
  return text;
}

}  // namespace

TEST_CASE("less important lines are not shown, but their arguments are evaluated", "[gxf_layer]") {
  gxr::test::LogLines log(Severity::WARNING);
  int evaluated = 0;
  GXF_LOG_PANIC("%d", ++evaluated);
  GXF_LOG_ERROR("%d", ++evaluated);
  GXF_LOG_WARNING("%d", ++evaluated);
  GXF_LOG_INFO("%d", ++evaluated);
  GXF_LOG_DEBUG("%d", ++evaluated);
  GXF_LOG_VERBOSE("%d", ++evaluated);
  CHECK(evaluated == 6);
  CHECK(log.text() == "1\n2\n3\n");
  nvidia::SetSeverity(Severity::NONE);
  GXF_LOG_PANIC("unseen");
  CHECK(log.lines.size() == 3);
  nvidia::SetSeverity(Severity::ALL);
  const char* const text = "not a literal";
  GXF_LOG_VERBOSE("%s", text);
  CHECK(log.lines.back().text == "not a literal");
  CHECK(log.lines.back().severity == Severity::VERBOSE);
  CHECK(log.lines.back().line == __LINE__ - 3);
  CHECK(log.lines.back().file == __FILE__);
}

TEST_CASE("long lines are complete", "[gxf_layer]") {
  gxr::test::LogLines log;
  for (const std::size_t length : {511U, 512U, 513U, 5000U}) {
    const std::string text(length, 'x');
    GXF_LOG_INFO("%s", text.c_str());
    CHECK(log.lines.back().text == text);
  }
}

TEST_CASE("the environment names a severity", "[gxf_layer]") {
  const Severity before = nvidia::GetSeverity();
  const char* const name = "GXR_TEST_SEVERITY";
  int error = 0;
  ::unsetenv(name);
  CHECK(nvidia::GetSeverityFromEnv(name, &error) == Severity::COUNT);
  CHECK(error == 1);
  CHECK_FALSE(nvidia::SetSeverityFromEnv(name));
  ::setenv(name, "loud", 1);
  CHECK(nvidia::GetSeverityFromEnv(name, &error) == Severity::COUNT);
  CHECK(error == 2);
  CHECK_FALSE(nvidia::SetSeverityFromEnv(name));
  CHECK(nvidia::GetSeverity() == before);
  ::setenv(name, "Verbose", 1);
  CHECK(nvidia::GetSeverityFromEnv(name) == Severity::VERBOSE);
  CHECK(nvidia::SetSeverityFromEnv(name));
  CHECK(nvidia::GetSeverity() == Severity::VERBOSE);
  ::setenv(name, "NONE", 1);
  CHECK(nvidia::SetSeverityFromEnv(name));
  CHECK(nvidia::GetSeverity() == Severity::NONE);
  ::unsetenv(name);
  nvidia::SetSeverity(before);
  CHECK(std::string(nvidia::kGxfLogEnvName) == "GXF_LOG_LEVEL");
}

TEST_CASE("lines go to gxr's log, or to a file", "[gxf_layer]") {
  const Severity before = nvidia::GetSeverity();
  nvidia::SetSeverity(Severity::VERBOSE);
  {
    const gxr::test::Captured error_stream(STDERR_FILENO);
    GXF_LOG_ERROR("an error");
    GXF_LOG_WARNING("a warning");
    GXF_LOG_INFO("a text");
    GXF_LOG_DEBUG("below gxr's level");
    const std::string text = error_stream.text();
    CHECK(text.find("error   an error\n") != std::string::npos);
    CHECK(text.find("warning a warning\n") != std::string::npos);
    CHECK(text.find("info    a text\n") != std::string::npos);
    CHECK(text.find("below") == std::string::npos);
  }
  std::FILE* const all = std::tmpfile();
  std::FILE* const warnings = std::tmpfile();
  nvidia::Redirect(all);
  nvidia::Redirect(warnings, Severity::WARNING);
  nvidia::Log("file.cpp", 12, Severity::VERBOSE, "%d", 1);
  nvidia::Log("file.cpp", 13, Severity::WARNING, "%d", 2);
  nvidia::DefaultConsoleLogging("file.cpp", 14, Severity::PANIC, "3", nullptr);
  nvidia::Redirect(nullptr);
  CHECK_THAT(content(warnings), Catch::Matchers::ContainsSubstring(" WARN  file.cpp@13: 2\n"));
  CHECK_THAT(content(all), Catch::Matchers::ContainsSubstring(" VERB  file.cpp@12: 1\n"));
  CHECK_THAT(content(all), Catch::Matchers::ContainsSubstring(" PANIC file.cpp@14: 3\n"));
  CHECK(content(all).find("@13") == std::string::npos);
  CHECK(content(all).find("2") == 0);  // the year
  {
    const gxr::test::Captured error_stream(STDERR_FILENO);
    const gxr::test::Captured output_stream(STDOUT_FILENO);
    nvidia::DefaultConsoleLogging("f", 1, Severity::ERROR, "wrong", nullptr);
    nvidia::DefaultConsoleLogging("f", 1, Severity::INFO, "right", nullptr);
    CHECK(error_stream.text().find(" ERROR f@1: wrong\n") != std::string::npos);
    CHECK(output_stream.text().find(" INFO  f@1: right\n") != std::string::npos);
  }
  std::fclose(all);
  std::fclose(warnings);
  nvidia::SetSeverity(before);
}

TEST_CASE("assertions panic when they do not hold", "[gxf_layer]") {
  gxr::test::LogLines log;
  GXF_ASSERT(1 == 1, "unseen");
  GXF_ASSERT_SUCCESS(0);
  GXF_ASSERT_TRUE(true);
  GXF_ASSERT_FALSE(false);
  GXF_ASSERT_EQ(2, 2);
  GXF_ASSERT_NE(2, 3);
  GXF_ASSERT_GT(3, 2);
  GXF_ASSERT_GE(2, 2);
  GXF_ASSERT_LT(2, 3);
  GXF_ASSERT_LE(2, 2);
  GXF_ASSERT_NEAR(2.0, 2.25, 0.5);
  GXF_ASSERT_NEAR(2.25, 2.0, 0.5);
  GXF_ASSERT_STREQ("a", "a");
  CHECK(log.lines.empty());
  const auto panics = [](auto function) { CHECK_THROWS_AS(function(), nvidia::Panic); };
  panics([] { GXF_PANIC("%d", 1); });
  panics([] { GXF_ASSERT(1 == 2, "because of %d", 2); });
  panics([] { GXF_ASSERT_SUCCESS(3); });
  panics([] { GXF_ASSERT_TRUE(1 > 2); });
  panics([] { GXF_ASSERT_FALSE(1 < 2); });
  panics([] { GXF_ASSERT_EQ(1, 2); });
  panics([] { GXF_ASSERT_NE(2, 2); });
  panics([] { GXF_ASSERT_GT(2, 2); });
  panics([] { GXF_ASSERT_GE(1, 2); });
  panics([] { GXF_ASSERT_LT(2, 2); });
  panics([] { GXF_ASSERT_LE(3, 2); });
  panics([] { GXF_ASSERT_NEAR(1, 5, 3); });
  panics([] { GXF_ASSERT_STREQ("a", "b"); });
  CHECK(log.text() ==
        "1\n"
        "because of 2\n"
        "3 is not successful: result code 3\n"
        "1 > 2 is false\n"
        "1 < 2 is true\n"
        "1 == 2 does not hold: 1 and 2\n"
        "2 != 2 does not hold: 2 and 2\n"
        "2 > 2 does not hold: 2 and 2\n"
        "1 >= 2 does not hold: 1 and 2\n"
        "2 < 2 does not hold: 2 and 2\n"
        "3 <= 2 does not hold: 3 and 2\n"
        "1 is near 5 does not hold: 1 and 5\n"
        "\"a\" == \"b\" does not hold: 'a' and 'b'\n");
  CHECK(log.lines[0].severity == Severity::PANIC);
}

TEST_CASE("a backtrace names callers", "[gxf_layer]") {
  std::FILE* const file = std::tmpfile();
  nvidia::PrintBacktrace(file);
  CHECK(content(file).find("libgxr_gxf.so") != std::string::npos);
  std::fclose(file);
}

TEST_CASE("without a severity, the level of gxr's log decides", "[gxf_layer][default]") {
  CHECK(nvidia::GetSeverity() == Severity::INFO);
}

TEST_CASE("GXF_LOG_LEVEL is the first severity", "[.environment]") {
  CHECK(nvidia::GetSeverity() == Severity::VERBOSE);
}
