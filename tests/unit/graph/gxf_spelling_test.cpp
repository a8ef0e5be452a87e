#include "graph/gxf_spelling.hpp"

#include "catch.hpp"

using namespace gxr;
using Kind = ParameterType::Kind;

namespace {

std::string read(const char* text, Kind kind) {
  const auto reading = gxf_reading(Value::make_scalar(ValueKind::Scalar, text, false, {}), kind);
  return reading ? reading->value : "refused";
}

}  // namespace

TEST_CASE("numbers as GXF reads them") {
  CHECK(read("010", Kind::Int32) == "8");
  CHECK(read("-010", Kind::Int32) == "-8");
  CHECK(read("0777777", Kind::Int16) == "refused");
  CHECK(read("-1", Kind::UInt64) == "18446744073709551615");
  CHECK(read("-1", Kind::UInt16) == "65535");
  CHECK(read("300", Kind::UInt8) == "44");
  CHECK(read("-1", Kind::UInt8) == "255");
  CHECK(read("4294967296", Kind::UInt8) == "refused");
  CHECK(read("99999999999999999999", Kind::UInt64) == "refused");
  CHECK(read("ten", Kind::UInt64) == "refused");
  CHECK(read("08", Kind::Int64) == "refused");
  CHECK(read("1e400", Kind::Float64) == "refused");
  CHECK(read("1e-400", Kind::Float64) == "0.0");
  CHECK(read("-1e-46", Kind::Float32) == "-0.0");
  CHECK(read("x", Kind::Float64) == "refused");
}
