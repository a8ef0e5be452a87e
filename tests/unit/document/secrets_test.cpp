#include "document/secrets.hpp"

#include <string>
#include <string_view>

#include "catch.hpp"
#include "document/diagnostics.hpp"
#include "document/source_line.hpp"
#include "gxr/error.hpp"

namespace {

std::string hidden(std::string_view text) { return gxr::without_secrets(std::string(text)); }

}  // namespace

TEST_CASE("passwords in addresses are hidden", "[document][secrets]") {
  CHECK(hidden("uri: rtsp://me:secret@host:554/live") == "uri: rtsp://me:***@host:554/live");
  CHECK(hidden("'rtsp://me:sec/ret@host'") == "'rtsp://me:***@host'");
  CHECK(hidden("rtsp://me:s@cr:et@host") == "rtsp://me:***@host");
  CHECK(hidden("rtsp://me:sec ret'x@host") == "rtsp://me:***@host");
  CHECK(hidden("rtsp://me:1234@host") == "rtsp://me:***@host");
  CHECK(hidden("rtsp://me:8080x@host") == "rtsp://me:***@host");
  CHECK(hidden("rtsp://:secret@host") == "rtsp://:***@host");
  CHECK(hidden("rtsp://me and you:12 34@host") == "rtsp://me and you:***@host");
  CHECK(hidden("rtsp://me:a://b@host") == "rtsp://me:***@host");
  CHECK(hidden("a://u:p@h b://v:q@i") == "a://u:***@i");
  CHECK(hidden("a://u:p@h\nb://v:q@i\n") == "a://u:***@h\nb://v:***@i\n");
}

TEST_CASE("the values of secret settings are hidden", "[document][secrets]") {
  CHECK(hidden("srtsrc passphrase=abc ! x") == "srtsrc passphrase=*** ! x");
  CHECK(hidden("user-pw = abc") == "user-pw = ***");
  CHECK(hidden("x Password=\"a b\" y") == "x Password=\"***\" y");
  CHECK(hidden(R"(x password="a \" b" y)") == R"(x password="***" y)");
  CHECK(hidden(R"("x password=\"a b\" y")") == R"("x password=\"***\" y")");
  CHECK(hidden("'x password=''a b'' y'") == "'x password=''***'' y'");
  CHECK(hidden("x password=(string)\"a b\" y") == "x password=(string)\"***\" y");
  CHECK(hidden("x password=a\\ b y") == "x password=*** y");
  CHECK(hidden("x password=\"a b") == "x password=\"***");
  CHECK(hidden("pipeline='rtmpsink access_token=abc'") == "pipeline='rtmpsink access_token=***'");
  CHECK(hidden("https://host/x?token=abc&b=c: not found") == "https://host/x?token=***: not found");
  CHECK(hidden("source/user-pw=abc") == "source/user-pw=***");
}

TEST_CASE("what is no secret stays", "[document][secrets]") {
  for (const char* const text :
       {"", "=", "://", "://:@", "rtsp://127.0.0.1:1/a@b", "rtsp://me@host:1/",
        "rtsp://[::1]:1/a@b", "http://host:8080/ me@example.com", "http://host:8080 up",
        "credentials=right", "key-int-max=60", "max_tokens=3", "password == x", "password=\"\" x",
        "a password is wrong", "user-id=me", "x=y@z"}) {
    CHECK(hidden(text) == text);
  }
  CHECK(hidden(hidden("rtsp://me:a@b passphrase=c")) == "rtsp://me:***@b passphrase=***");
}

TEST_CASE("lines with a caret hide secrets, and the caret stays right", "[document][secrets]") {
  const auto marked = [](std::string_view line, std::uint32_t column, std::uint32_t length) {
    const gxr::MarkedLine result = gxr::mark_line(line, column, length);
    return result.line + "\n" + result.marker;
  };
  const std::string line = "{uri: 'rtsp://me:secret@host', x: 1}";
  CHECK(marked(line, 32, 1) == "{uri: 'rtsp://me:***@host', x: 1}\n                            ^");
  CHECK(marked(line, 7, 23) == "{uri: 'rtsp://me:***@host', x: 1}\n      ^^^^^^^^^^^^^^^^^^^^");
  const std::string longer = "passphrase=" + std::string(5000, 's') + " end";
  CHECK(marked(longer, 5013, 3).find("ss") == std::string::npos);
  CHECK(marked(longer, 3000, 3).find('s', 12) == std::string::npos);
  CHECK(marked(longer, 1, 10) == "passphrase=*** end\n^^^^^^^^^^");
}

TEST_CASE("errors and diagnostics hide secrets", "[document][secrets]") {
  const gxr::Error error("no stream at rtsp://me:secret@host");
  CHECK(error.message() == "no stream at rtsp://me:***@host");
  gxr::Diagnostics diagnostics;
  diagnostics.add(gxr::DiagnosticCode::ParameterValue, gxr::Location{}, 1, "token=abc is wrong",
                  "not a://b:c@d");
  CHECK(diagnostics.all()[0].text == "token=*** is wrong");
  CHECK(diagnostics.all()[0].hint == "not a://b:***@d");
}
