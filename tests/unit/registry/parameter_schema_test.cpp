#include "registry/parameter_schema.hpp"

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "registry/file_schema.hpp"

namespace gxr {
namespace {

using Kind = ParameterType::Kind;
using Json = nlohmann::ordered_json;

ParameterInfo parameter_of(ParameterType type) {
  ParameterInfo parameter;
  parameter.key = "key";
  parameter.type = std::move(type);
  parameter.headline = "Headline";
  return parameter;
}

ParameterInfo parameter_of(Kind kind) { return parameter_of(ParameterType{kind, {}, {}, 0, {}}); }

TEST_CASE("Numbers keep the narrower of the type's range and their own") {
  ParameterInfo parameter = parameter_of(Kind::UInt8);
  CHECK(value_schema(parameter)["minimum"] == 0);
  CHECK(value_schema(parameter)["maximum"] == 255);
  parameter.minimum = 3;
  parameter.maximum = 1000;
  CHECK(value_schema(parameter)["minimum"] == 3);
  CHECK(value_schema(parameter)["maximum"] == 255);
  CHECK_FALSE(value_schema(parameter_of(Kind::Int64)).contains("minimum"));
  CHECK(value_schema(parameter_of(Kind::Int8))["type"] == Json({"integer", "string"}));
  CHECK(value_schema(parameter_of(Kind::Float32))["type"] == Json({"number", "string"}));
}

TEST_CASE("Choices become an enumeration with their texts") {
  ParameterInfo number = parameter_of(Kind::UInt64);
  number.choices = {{"0", "pop"}, {"2", "fault"}};
  CHECK(value_schema(number)["enum"] == Json({0, "pop", 2, "fault"}));
  CHECK(value_schema(number)["enumDescriptions"] == Json({"pop", "pop", "fault", "fault"}));
  ParameterInfo text = parameter_of(Kind::String);
  text.choices = {{"a", ""}, {"16", ""}};
  CHECK(value_schema(text)["enum"] == Json({"a", "16", 16}));
  CHECK_FALSE(value_schema(text).contains("enumDescriptions"));
  const ParameterInfo mode =
      parameter_of({Kind::Enum, "test::Mode", {}, 0, {{"Fast", ""}, {"Exact", ""}}});
  CHECK(value_schema(mode)["enum"] == Json({"Fast", "Exact"}));
}

TEST_CASE("Collections describe their elements") {
  ParameterInfo list = parameter_of({Kind::List, {}, {{Kind::Int32, {}, {}, 0, {}}}, 4, {}});
  list.maximum = 9;
  CHECK(value_schema(list)["items"]["maximum"] == 9);
  CHECK(value_schema(list)["maxItems"] == 4);
  const ParameterInfo array = parameter_of({Kind::Array, {}, {{Kind::Bool, {}, {}, 0, {}}}, 2, {}});
  CHECK(value_schema(array)["minItems"] == 2);
  const ParameterInfo map = parameter_of({Kind::Map, {}, {{Kind::String, {}, {}, 0, {}}}, 0, {}});
  CHECK(value_schema(map)["additionalProperties"].contains("type"));
  const ParameterInfo pair = parameter_of(
      {Kind::Pair, {}, {{Kind::String, {}, {}, 0, {}}, {Kind::Int8, {}, {}, 0, {}}}, 0, {}});
  CHECK(value_schema(pair)["items"].size() == 2);
  CHECK(value_schema(pair)["items"][1]["minimum"] == -128);
}

TEST_CASE("Defaults have their JSON type") {
  const auto default_of = [](ParameterInfo parameter, const char* text) {
    parameter.default_value = text;
    const Json schema = parameter_schema(parameter);
    return schema.contains("default") ? schema["default"] : Json("none");
  };
  CHECK(default_of(parameter_of(Kind::Bool), "true") == true);
  CHECK(default_of(parameter_of(Kind::Int16), "-3") == -3);
  CHECK(default_of(parameter_of(Kind::UInt64), "18446744073709551615") == 18446744073709551615ULL);
  CHECK(default_of(parameter_of(Kind::Float64), "0.25") == 0.25);
  CHECK(default_of(parameter_of(Kind::Float64), ".inf") == "none");
  CHECK(default_of(parameter_of(Kind::String), "\"a: b\"") == "a: b");
  CHECK(default_of(parameter_of(Kind::Any), "x") == "none");
  CHECK(default_of(parameter_of({Kind::List, {}, {{Kind::Int32, {}, {}, 0, {}}}, 0, {}}),
                   "[1, 2]") == Json({1, 2}));
  CHECK(default_of(parameter_of({Kind::Map, {}, {{Kind::Bool, {}, {}, 0, {}}}, 0, {}}),
                   "{a: true}") == Json({{"a", true}}));
}

TEST_CASE("Descriptions say what the value is") {
  ParameterInfo parameter = parameter_of(Kind::Float64);
  parameter.unit = "ms";
  parameter.description = "More.";
  CHECK(parameter_schema(parameter)["description"] ==
        "Headline\n\nMore.\n\nfloat64, in ms, mandatory");
  parameter.optional = true;
  parameter.dynamic = true;
  CHECK(parameter_schema(parameter)["description"] ==
        "Headline\n\nMore.\n\nfloat64, in ms, optional, changeable while running");
}

TypeCatalog catalog_with(const std::vector<std::string>& names) {
  TypeCatalog catalog;
  std::vector<TypeInfo> types;
  for (const std::string& name : names) {
    TypeInfo& type = types.emplace_back();
    type.name = name;
    type.headline = "Headline of " + name;
    type.aliases = {"alias::" + name.substr(3)};
    type.parameters.push_back(parameter_of(Kind::Int8));
  }
  types.back().abstract = true;
  catalog.add_types("test", std::move(types));
  return catalog;
}

TEST_CASE("The app schema lists types sorted, with aliases, without bases") {
  const Json schema = Json::parse(app_schema(catalog_with({"b::B", "a::A", "c::Base"})));
  const Json& type = schema["definitions"]["component"]["properties"]["type"];
  CHECK(type["enum"] == Json({"a::A", "alias::A", "alias::B", "b::B"}));
  CHECK(type["enumDescriptions"][1] == "Headline of a::A");
  CHECK(schema["definitions"]["a::A"]["additionalProperties"] == false);
  CHECK(schema["definitions"]["a::A"]["properties"]["key"]["maximum"] == 127);
  CHECK(schema["definitions"]["component"]["allOf"].size() == 2);
  CHECK_FALSE(schema["definitions"].contains("c::Base"));
}

TEST_CASE("The app schema knows the short form") {
  std::vector<TypeInfo> types(3);
  types[0].name = "gxr::Codelet";
  types[0].abstract = true;
  types[1].name = "a::Codelet";
  types[1].base = "gxr::Codelet";
  types[1].parameters.push_back(parameter_of(Kind::Int8));
  types[2].name = "a::Other";
  TypeCatalog catalog;
  catalog.add_types("test", std::move(types));
  const Json schema = Json::parse(app_schema(catalog));
  CHECK(schema["properties"]["operator"]["enum"] == Json({"a::Codelet"}));
  REQUIRE(schema["allOf"].size() == 1);
  const Json& then = schema["allOf"][0]["then"]["properties"];
  CHECK(then["parameters"]["$ref"] == "#/definitions/a::Codelet");
  CHECK(then["inputs"]["additionalProperties"] == false);
  CHECK(schema["dependencies"]["inputs"] == Json({"operator"}));
  CHECK(schema["dependencies"]["operator"]["not"]["required"] == Json({"components"}));
}

TEST_CASE("Schemas depend on the types alone, not on their order") {
  const TypeCatalog one = catalog_with({"b::B", "a::A", "c::Base"});
  const TypeCatalog other = catalog_with({"a::A", "b::B", "c::Base"});
  CHECK(app_schema(one) == app_schema(other));
  CHECK(parameters_schema(one) == parameters_schema(other));
}

TEST_CASE("A key with several meanings accepts each of them") {
  TypeInfo one, other;
  one.name = "a::A";
  one.parameters.push_back(parameter_of(Kind::Int8));
  other.name = "a::B";
  other.parameters.push_back(parameter_of(Kind::Bool));
  TypeCatalog catalog;
  catalog.add_types("test", {one, other});
  const Json schema = Json::parse(parameters_schema(catalog));
  const Json& key = schema["patternProperties"]["^[^/]*/([^/]+/)?key$"];
  CHECK(key["anyOf"].size() == 2);
  CHECK(schema["additionalProperties"] == false);
}

}  // namespace
}  // namespace gxr
