#include <cmath>
#include <limits>
#include <string>

#include "catch.hpp"
#include "document/document.hpp"
#include "document/number_text.hpp"
#include "gxr/error.hpp"
#include "gxr/parameter.hpp"

namespace {

namespace detail = gxr::detail;

/// A value from YAML text.
class Yaml {
 public:
  explicit Yaml(std::string_view text) : value_(document_.make_value(text)) {}
  operator const gxr::Value&() const { return value_; }  // NOLINT(google-explicit-constructor)

 private:
  gxr::Document document_;
  const gxr::Value& value_;
};

/// Reads a duration whose default this is; "": one without a default.
class AsDeclared final : public gxr::ParameterContext {
 public:
  explicit AsDeclared(const char* default_value) {
    parameter_.type.kind = gxr::ParameterType::Kind::Duration;
    if (*default_value != '\0') {
      parameter_.default_value = default_value;
    }
    set_declaration(&parameter_);
  }
  gxr::Component* resolve(const gxr::Value& /*value*/) override { return nullptr; }

 private:
  gxr::ParameterInfo parameter_;
};

template <class F>
std::string message(F&& read) {
  try {
    read();
  } catch (const gxr::Error& error) {
    return std::string(gxr::to_string(error.code())) + ": " + error.what();
  }
  return "no error";
}

std::int64_t as_int(std::string_view text) {
  return detail::parse_int(Yaml(text), std::numeric_limits<std::int64_t>::min(),
                           std::numeric_limits<std::int64_t>::max());
}

std::uint64_t as_uint(std::string_view text) {
  return detail::parse_uint(Yaml(text), std::numeric_limits<std::uint64_t>::max());
}

std::int64_t nanoseconds(std::string_view text) {
  AsDeclared context("0");
  return detail::parse_duration(Yaml(text), context).nanoseconds;
}
std::uint64_t bytes(std::string_view text) { return detail::parse_byte_size(Yaml(text)).bytes; }

}  // namespace

TEST_CASE("integers are read as GXF's authors meant them", "[document][values]") {
  CHECK(as_int("42") == 42);
  CHECK(as_int("-42") == -42);
  CHECK(as_int("+7") == 7);
  CHECK(as_int("'7'") == 7);
  CHECK(as_int("0") == 0);
  CHECK(as_int("-0") == 0);
  CHECK(as_int("0x1F") == 31);
  CHECK(as_int("0Xff") == 255);
  CHECK(as_int("-0x10") == -16);
  CHECK_THROWS_AS(as_int("010"), gxr::Error);  // 8 or 10: nobody knows
  CHECK(as_int("007") == 7);
  CHECK(as_int("00") == 0);
  CHECK(as_int("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
  CHECK(as_int("-9223372036854775808") == std::numeric_limits<std::int64_t>::min());
  CHECK(as_uint("18446744073709551615") == std::numeric_limits<std::uint64_t>::max());
  CHECK(as_uint("-0") == 0);
  CHECK(detail::parse_int(Yaml("-128"), -128, 127) == -128);
}

TEST_CASE("what is no integer says so", "[document][values]") {
  for (const char* text : {"1.0", "1e3", "1_000", "0o10", "0b1", "08", "0x", "0xg", "--1", "+-1",
                           "1 2", "12abc", "'- 1'", "' '", "0x-1", "''", "\u0661"}) {
    INFO(text);
    CHECK_THROWS_AS(as_int(text), gxr::Error);
    CHECK_THROWS_AS(as_uint(text), gxr::Error);
  }
  CHECK(message([] { as_int("1.0"); }) ==
        "invalid-parameter: '1.0' is not an integer; accepted: decimal (10) or hexadecimal (0xA) "
        "digits");
  CHECK(
      message([] { as_int(""); }) ==
      "invalid-parameter: an empty value is not an integer; accepted: decimal (10) or hexadecimal "
      "(0xA) digits");
  CHECK(message([] { as_int("~"); }).starts_with("invalid-parameter: '~' is not an integer;"));
  CHECK(message([] { as_int("''"); }).starts_with("invalid-parameter: '' is not an integer;"));
  CHECK(message([] { as_int("[1]"); }).starts_with("invalid-parameter: a list is not an integer;"));
  CHECK(
      message([] { as_int("{a: 1}"); }).starts_with("invalid-parameter: a map is not an integer;"));
  CHECK(
      message([] { as_int("\"\\x1b\\n\""); }).starts_with("invalid-parameter: '\\x1b\\n' is not"));
  CHECK(message([] {
          as_int(std::string(500, 'x'));
        }).starts_with("invalid-parameter: '" + std::string(60, 'x') + "...' is not"));
}

TEST_CASE("integers keep their range", "[document][values]") {
  CHECK(message([] { detail::parse_int(Yaml("300"), -128, 127); }) ==
        "out-of-range: '300' is out of range; accepted: integers from -128 to 127");
  CHECK(message([] { detail::parse_uint(Yaml("-1"), 255); }) ==
        "out-of-range: '-1' is out of range; accepted: integers from 0 to 255");
  CHECK(message([] { as_uint("18446744073709551616"); }) ==
        "out-of-range: '18446744073709551616' is out of range; accepted: integers from 0 to "
        "18446744073709551615");
  CHECK_THROWS_AS(as_int("9223372036854775808"), gxr::Error);
  CHECK_THROWS_AS(as_int("-9223372036854775809"), gxr::Error);
  CHECK_THROWS_AS(as_int(std::string(1000, '9')), gxr::Error);
}

TEST_CASE("numbers", "[document][values]") {
  const auto real = [](std::string_view text) { return detail::parse_double(Yaml(text)); };
  CHECK(real("1.5") == 1.5);
  CHECK(real("-1.5e-3") == -1.5e-3);
  CHECK(real("+2") == 2.0);
  CHECK(real("010") == 10.0);
  CHECK(real(".5") == 0.5);
  CHECK(real("5.") == 5.0);
  CHECK(real("'1'") == 1.0);
  CHECK(real(".inf") == std::numeric_limits<double>::infinity());
  CHECK(real("-.INF") == -std::numeric_limits<double>::infinity());
  CHECK(std::isnan(real(".NaN")));
  CHECK(real("0e999") == 0.0);
  CHECK(real("0e-999") == 0.0);
  CHECK(std::signbit(real("-0.0e-999")));
  CHECK(real("5e-324") == std::numeric_limits<double>::denorm_min());
  CHECK(detail::parse_float(Yaml("0.1")) == 0.1F);
  CHECK(detail::parse_float(Yaml("16777217.0000001")) == 16777218.0F);
  for (const char* text : {"0x10", "1,5", "inf", "nan", "infinity", "1e", "e5", "1.2.3", "--1",
                           "1 2", "''", "~", "[1]", ".", "-", "1_0", ".Nan", "1e+-5"}) {
    INFO(text);
    CHECK_THROWS_AS(real(text), gxr::Error);
    CHECK_THROWS_AS(detail::parse_float(Yaml(text)), gxr::Error);
  }
  CHECK(
      message([&] { real("1e999"); }) ==
      "out-of-range: '1e999' is out of range; accepted: magnitudes up to 1.7976931348623157e+308");
  CHECK(message([&] { real("1" + std::string(400, '0')); }).starts_with("out-of-range"));
  CHECK(message([&] { real("1" + std::string(900, '0') + "e-5"); }).starts_with("out-of-range"));
  CHECK(message([] { detail::parse_float(Yaml("1e39")); }) ==
        "out-of-range: '1e39' is out of range; accepted: magnitudes up to 3.4028235e+38");
}

TEST_CASE("a number that is not 0 is not read as 0", "[document][values]") {
  const auto real = [](std::string_view text) { return detail::parse_double(Yaml(text)); };
  const auto real32 = [](std::string_view text) { return detail::parse_float(Yaml(text)); };
  CHECK(message([&] { real("-1e-400"); }) ==
        "out-of-range: '-1e-400' is out of range; accepted: 0 and magnitudes from 5e-324");
  CHECK(message([&] { real("0." + std::string(400, '0') + "1"); }).starts_with("out-of-range"));
  CHECK(message([&] { real("2e-324"); }).starts_with("out-of-range"));
  CHECK(real("3e-324") == std::numeric_limits<double>::denorm_min());
  CHECK(message([&] { real32("1e-46"); }) ==
        "out-of-range: '1e-46' is out of range; accepted: 0 and magnitudes from 1e-45");
  CHECK(real32("1e-45") == std::numeric_limits<float>::denorm_min());
  CHECK(real32("0e-46") == 0.0F);
  CHECK_THROWS_AS(detail::parse_complex(Yaml("1e-400 + 1j")), gxr::Error);
  CHECK_THROWS_AS(nanoseconds("1e-400s"), gxr::Error);
  CHECK_THROWS_AS(bytes("1e-400B"), gxr::Error);
}

TEST_CASE("booleans", "[document][values]") {
  for (const char* text :
       {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "y", "Y", "'yes'"}) {
    INFO(text);
    CHECK(detail::parse_bool(Yaml(text)));
  }
  for (const char* text :
       {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "n", "N"}) {
    INFO(text);
    CHECK_FALSE(detail::parse_bool(Yaml(text)));
  }
  for (const char* text : {"1", "0", "tRue", "TRue", "yES", "t", "''", "~", "[true]", "true "}) {
    INFO(text);
    if (std::string_view(text) != "true ") {
      CHECK_THROWS_AS(detail::parse_bool(Yaml(text)), gxr::Error);
    }
  }
  CHECK(message([] { detail::parse_bool(Yaml("1")); }) ==
        "invalid-parameter: '1' is not a boolean; accepted: true, false, yes, no, on, off, y, n");
}

TEST_CASE("strings are what their author meant", "[document][values]") {
  const auto text = [](std::string_view yaml) { return detail::parse_string(Yaml(yaml)); };
  CHECK(text("plain text") == "plain text");
  CHECK(text("''").empty());
  CHECK(text("'~'") == "~");
  CHECK(text("~") == "~");
  CHECK(text("null") == "null");
  CHECK(text("").empty());
  CHECK(text("\"a: b #c\"") == "a: b #c");
  CHECK(text("007") == "007");
  CHECK(text("[a,  'b c', {d: ~}]") == "[a, b c, {d: ~}]");
}

TEST_CASE("lists and maps are YAML text to a string, in the style in which they are written",
          "[document][values]") {
  const auto text = [](std::string_view yaml) { return detail::parse_string(Yaml(yaml)); };
  CHECK(text("- a:   st\n  b: 'ee'\n- c") == "- a: st\n  b: ee\n- c");
  CHECK(text("e:\n- f: [x,  y]\n  g: {h: 1}") == "e:\n  - f: [x, y]\n    g: {h: 1}");
  CHECK(text("- ': '\n- ~\n- !ms 5") == "- \": \"\n- ~\n- !<!ms> 5");
}

TEST_CASE("complex numbers", "[document][values]") {
  using Complex = std::complex<double>;
  const auto complex = [](std::string_view text) { return detail::parse_complex(Yaml(text)); };
  CHECK(complex("2.0 + 1.5j") == Complex(2.0, 1.5));
  CHECK(complex("-2.102-3i") == Complex(-2.102, -3));
  CHECK(complex("1e3-2e-3j") == Complex(1e3, -2e-3));
  CHECK(complex("0+0i") == Complex(0, 0));
  for (const char* text : {"1", "2j", "1+2", "1+j", "1 2j", "1++2j", "1+-2j", "i", "'+'", "1+2k",
                           "''", "~", "1+2j3", "e+1j"}) {
    INFO(text);
    CHECK_THROWS_AS(complex(text), gxr::Error);
  }
  using Traits = gxr::ParameterTraits<Complex>;
  CHECK(complex(Traits::to_yaml({1e20, -1e-20})) == Complex(1e20, -1e-20));
}

TEST_CASE("durations", "[document][values]") {
  CHECK(nanoseconds("1000") == 1000);
  CHECK(nanoseconds("1500.9") == 1500);
  CHECK(nanoseconds("50ms") == 50'000'000);
  CHECK(nanoseconds("50 MS") == 50'000'000);
  CHECK(nanoseconds("1.5s") == 1'500'000'000);
  CHECK(nanoseconds("4.35s") == 4'350'000'000);
  CHECK(nanoseconds("250us") == 250'000);
  CHECK(nanoseconds("7ns") == 7);
  CHECK(nanoseconds("10min") == 600'000'000'000);
  CHECK(nanoseconds("2h") == 7'200'000'000'000);
  CHECK(nanoseconds("30Hz") == 33'333'333);
  CHECK(nanoseconds("60 hz") == 16'666'666);
  CHECK(nanoseconds("1e3ms") == 1'000'000'000);
  CHECK(nanoseconds("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
  CHECK(nanoseconds("9007199254740993ns") == 9007199254740993);
  for (const char* text : {"0", "0ns", "0.0s", "+0 ms", "0h"}) {
    INFO(text);
    CHECK(nanoseconds(text) == 0);
    for (const char* default_value : {"1ms", ""}) {
      AsDeclared context(default_value);
      CHECK(message([&] { detail::parse_duration(Yaml(text), context); })
                .ends_with(" is not a duration; accepted: a positive number and a unit of ns, us, "
                           "ms, s, min, h or Hz (50ms, 30Hz); nanoseconds without"));
      CHECK(detail::parse_duration(Yaml("1ns"), context).nanoseconds == 1);
    }
  }
  for (const char* text : {"-0", "-0s", "-5ms", "0Hz", "0 days", "ms", "5 days", "5  ms", "5m s",
                           ".inf", ".nans", "1,5s", "0x10ms", "''", "~", "[1s]", "5e", "1e999s"}) {
    INFO(text);
    CHECK_THROWS_AS(nanoseconds(text), gxr::Error);
  }
  CHECK(
      message([] { nanoseconds("fast"); }) ==
      "invalid-parameter: 'fast' is not a duration; accepted: a positive number and a unit of ns, "
      "us, ms, s, min, h or Hz (50ms, 30Hz); nanoseconds without");
  CHECK(message([] { nanoseconds("9e18s"); }) ==
        "out-of-range: '9e18s' is out of range; accepted: durations from 1 ns to 292 years");
  CHECK(message([] { nanoseconds("0.2ns"); }).starts_with("out-of-range"));
  CHECK(message([] { nanoseconds("2e9Hz"); }).starts_with("out-of-range"));
}

TEST_CASE("amounts of memory", "[document][values]") {
  CHECK(bytes("16B") == 16);
  CHECK(bytes("512KB") == 512 * 1024);
  CHECK(bytes("4MB") == 4U << 20U);
  CHECK(bytes("4 mb") == 4U << 20U);
  CHECK(bytes("0.5MB") == 1U << 19U);
  CHECK(bytes("1.5 GiB") == 3U * (1U << 29U));
  CHECK(bytes("2TB") == std::uint64_t{2} << 40U);
  CHECK(bytes("3") == 3U << 20U);
  CHECK(bytes("0B") == 0);
  CHECK(bytes("18446744073709551615B") == std::numeric_limits<std::uint64_t>::max());
  for (const char* text :
       {"-1MB", "MB", "4XB", "4  MB", "1,5MB", "''", "~", "[1MB]", "4MBB", "-0"}) {
    INFO(text);
    CHECK_THROWS_AS(bytes(text), gxr::Error);
  }
  CHECK(message([] { bytes("lots"); }) ==
        "invalid-parameter: 'lots' is not an amount of memory; accepted: a number and a unit of B, "
        "KB, MB, GB or TB, 1024-based (4MB, 0.5KB); megabytes without");
  CHECK(message([] { bytes("99999999TB"); }) ==
        "out-of-range: '99999999TB' is out of range; accepted: 1 B to 16777215 TB");
  CHECK(message([] { bytes("0.1B"); }).starts_with("out-of-range"));
}

TEST_CASE("kinds, lengths and choices", "[document][values]") {
  CHECK_NOTHROW(detail::require_list(Yaml("[1]")));
  CHECK_NOTHROW(detail::require_list(Yaml("[1, 2]"), 2, 2));
  CHECK_NOTHROW(detail::require_map(Yaml("{a: 1}")));
  CHECK(message([] { detail::require_list(Yaml("1")); }) ==
        "invalid-parameter: '1' is not a list; accepted: [a, b]");
  CHECK(message([] { detail::require_map(Yaml("[1]")); }) ==
        "invalid-parameter: a list is not a map; accepted: {key: value}");
  CHECK(message([] { detail::require_list(Yaml("[1, 2]"), 3, 3); }) ==
        "invalid-parameter: this list has 2 elements; exactly 3 are needed");
  CHECK(message([] { detail::require_list(Yaml("[1, 2]"), 0, 1); }) ==
        "out-of-range: this list has 2 elements; at most 1 is allowed");
  CHECK(message([] { detail::require_list(Yaml("[1]"), 2); }) ==
        "out-of-range: this list has 1 element; at least 2 are needed");
  CHECK(message([] { detail::require_room("four", 3); }) ==
        "out-of-range: this text has 4 bytes; at most 3 are allowed");
  const std::vector<gxr::Choice> choices = {{"Broadcast", {}}, {"RoundRobin", {}}};
  CHECK(detail::parse_choice(Yaml("RoundRobin"), choices) == 1);
  CHECK(
      message([&] { detail::parse_choice(Yaml("roundrobin"), choices); }) ==
      "invalid-parameter: 'roundrobin' is not one of the choices; accepted: Broadcast, RoundRobin");
  CHECK_THROWS_AS(detail::parse_choice(Yaml("[Broadcast]"), choices), gxr::Error);
  CHECK(message([] { detail::throw_unset("clock"); }) ==
        "invalid-parameter: parameter 'clock' has no value");
}

TEST_CASE("values are written so that they read back", "[document][values]") {
  CHECK(detail::yaml_of(true) == "true");
  CHECK(detail::yaml_of(std::int64_t{-5}) == "-5");
  CHECK(detail::yaml_of(std::uint64_t{5}) == "5");
  CHECK(detail::yaml_of(0.1) == "0.1");
  CHECK(detail::yaml_of(0.1F) == "0.1");
  CHECK(detail::yaml_of(1e300) == "1e+300");
  CHECK(detail::yaml_of(-std::numeric_limits<double>::infinity()) == "-.inf");
  CHECK(detail::yaml_of(std::numeric_limits<float>::quiet_NaN()) == ".nan");
  CHECK(detail::yaml_of(std::string("a b")) == "a b");
  CHECK(detail::yaml_of(std::string()) == "\"\"");
  CHECK(detail::yaml_of(std::string("null")) == "\"null\"");
  for (const double value : {0.1, 1.0 / 3, 1e-310, 123456789.125, -0.0}) {
    CHECK(detail::parse_double(Yaml(detail::yaml_of(value))) == value);
  }
}

TEST_CASE("error codes have names", "[document][values]") {
  CHECK(std::string(gxr::to_string(gxr::ErrorCode::OutOfRange)) == "out-of-range");
  CHECK(std::string(gxr::to_string(gxr::ErrorCode::InvalidState)) == "invalid-state");
  CHECK(std::string(gxr::Error("text").what()) == "text");
  CHECK(gxr::Error("text").code() == gxr::ErrorCode::Failure);
}

TEST_CASE("a leading 0 matters when octal digits mean another number") {
  CHECK(gxr::is_octal("010"));
  CHECK(gxr::is_octal("-0010"));
  CHECK_FALSE(gxr::is_octal("0"));
  CHECK_FALSE(gxr::is_octal("007"));
  CHECK_FALSE(gxr::is_octal("10"));
  CHECK_FALSE(gxr::is_octal("0x10"));
  CHECK_FALSE(gxr::is_octal("019"));
  CHECK_FALSE(gxr::is_octal(""));
  CHECK_FALSE(gxr::is_octal("0.10"));
}
