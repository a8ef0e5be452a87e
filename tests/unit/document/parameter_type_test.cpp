#include "document/parameter_type.hpp"

#include "catch.hpp"
#include "gxr/error.hpp"

TEST_CASE("types of parameters have a spelling and an inverse", "[document][types]") {
  for (const char* text : {"bool",
                           "int8",
                           "uint64",
                           "float32",
                           "complex128",
                           "string",
                           "string<5>",
                           "file",
                           "duration",
                           "size",
                           "handle",
                           "handle<gxr::Receiver>",
                           "enum",
                           "any",
                           "list<float64>",
                           "list<string, 8>",
                           "array<int32, 3>",
                           "map<handle<gxr::Allocator>>",
                           "pair<string, int64>",
                           "list<pair<string, array<map<list<int8>>, 2>>>"}) {
    INFO(text);
    CHECK(to_string(gxr::parse_parameter_type(text)) == text);
  }
}

TEST_CASE("a type is taken apart", "[document][types]") {
  using Kind = gxr::ParameterType::Kind;
  const gxr::ParameterType array = gxr::parse_parameter_type(" array< handle<a::B> ,3> ");
  CHECK(array.kind == Kind::Array);
  CHECK(array.length == 3);
  REQUIRE(array.of.size() == 1);
  CHECK(array.of[0].kind == Kind::Handle);
  CHECK(array.of[0].name == "a::B");
}

TEST_CASE("anything else is no type", "[document][types]") {
  std::string deep;
  for (int i = 0; i < 100000; ++i) {
    deep += "list<";
  }
  for (const std::string& text :
       {std::string(), std::string("int"), std::string("list"), std::string("list<>"),
        std::string("list<int8"), std::string("array<int8>"), std::string("array<int8, x>"),
        std::string("array<int8, 3, 4>"), std::string("string<>"), std::string("string<x>"),
        std::string("string<1, 2>"), std::string("pair<int8>"), std::string("map<int8, int8>"),
        std::string("bool<int8>"), std::string("int8>"), std::string("list<int8>>"),
        std::string("array<int8, 99999999999999999999>"), deep,
        deep + "int8" + std::string(100000, '>')}) {
    CHECK_THROWS_AS(gxr::parse_parameter_type(text), gxr::Error);
  }
}
