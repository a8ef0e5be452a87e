#include "registry/type_json.hpp"

#include "catch.hpp"
#include "gxr/error.hpp"
#include "registry/capabilities.hpp"

namespace gxr {
namespace {

using Kind = ParameterType::Kind;
using Catch::Matchers::ContainsSubstring;

ParameterType plain(Kind kind) { return {kind, {}, {}, 0, {}}; }

TypeInfo full_type() {
  TypeInfo type;
  type.name = "test::Full";
  type.aliases = {"other::Full", "old::Full"};
  type.base = "gxr::Codelet";
  type.id = {0x0123456789abcdefULL, 0xfedcba9876543210ULL};
  type.headline = "With \"quotes\" and ümlauts";
  type.description = "Two\nlines";
  ParameterInfo parameter;
  parameter.key = "gain";
  parameter.type = plain(Kind::Float64);
  parameter.headline = "Factor";
  parameter.description = "Long";
  parameter.unit = "dB";
  parameter.default_value = "0.5";
  parameter.minimum = -1.5;
  parameter.maximum = 1e300;
  parameter.step = 0.1;
  parameter.choices = {{"0.5", "half"}, {"1", ""}};
  parameter.optional = true;
  parameter.dynamic = true;
  type.parameters.push_back(parameter);
  ParameterInfo nested;
  nested.key = "nested";
  nested.type = {Kind::List,
                 {},
                 {{Kind::Pair,
                   {},
                   {plain(Kind::String), {Kind::Array, {}, {plain(Kind::Int8)}, 3, {}}},
                   0,
                   {}}},
                 7,
                 {}};
  type.parameters.push_back(nested);
  ParameterInfo mode;
  mode.key = "mode";
  mode.type = {Kind::Enum, "test::Mode", {}, 0, {{"Fast", ""}, {"Exact", "slow"}}};
  mode.default_value = "";
  type.parameters.push_back(mode);
  ParameterInfo in;
  in.key = "in";
  in.type = {Kind::Handle, "gxr::Receiver", {}, 0, {}};
  type.parameters.push_back(in);
  type.ports.resize(2);
  type.ports[0].key = "in";
  type.ports[0].parts = {
      {"gxr::Tensor", "points", true, false, {"int8", "uint8"}, 3, {-1, 2, 3}, {}},
      {"gxr::VideoBuffer", "", false, true, {}, std::nullopt, {}, {"RGB"}}};
  type.ports[1].key = "out";
  type.ports[1].direction = PortInfo::Direction::Output;
  type.ports[1].other_parts = true;
  type.capabilities = {{Capability::Kind::PassesEachMessage, {"mode"}, "Fast"},
                       {Capability::Kind::TakesAllMessages, {""}, {}}};
  return type;
}

TEST_CASE("A type list read back writes the same text") {
  TypeInfo data;
  data.name = "test::Data";
  data.component = false;
  TypeInfo base;
  base.name = "test::Base";
  base.abstract = true;
  const std::string text = types_to_json({full_type(), data, base});
  const std::vector<TypeInfo> types = types_from_json(text);
  REQUIRE(types.size() == 3);
  CHECK(types_to_json(types) == text);
  CHECK(types[0].id == full_type().id);
  CHECK(types[0].headline == full_type().headline);
  CHECK(types[0].parameters[0].minimum == -1.5);
  CHECK(types[0].parameters[0].choices[0].description == "half");
  CHECK(types[0].parameters[1].type.length == 7);
  CHECK(types[0].parameters[2].default_value == "");
  CHECK(types[0].parameters[3].default_value == std::nullopt);
  CHECK(types[0].ports[1].direction == PortInfo::Direction::Output);
  CHECK(types[0].ports[1].other_parts);
  REQUIRE(types[0].capabilities.size() == 2);
  CHECK(types[0].capabilities[0].key(0) == "mode");
  CHECK(types[0].capabilities[0].value == "Fast");
  CHECK(types[0].find(Capability::Kind::TakesAllMessages)->key(0).empty());
  CHECK(types[0].ports[0].parts[0].dimensions == std::vector<std::int32_t>{-1, 2, 3});
  CHECK(types[0].ports[0].parts[1].formats == std::vector<std::string>{"RGB"});
  CHECK_FALSE(types[1].component);
  CHECK(types[2].abstract);
}

TEST_CASE("each type has a line of its own") {
  for (std::size_t count = 0; count < 3; ++count) {
    std::vector<TypeInfo> types(count, full_type());
    for (std::size_t i = 0; i < count; ++i) {
      types[i].name += std::to_string(i);
      types[i].description = "two\nlines, {\"quoted\"},\n";
    }
    const std::string text = types_to_json(types);
    const std::vector<std::string_view> lines = lines_of_types(text);
    REQUIRE(lines.size() == count);
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(types_to_json({type_from_json(lines[i])}) == types_to_json({types[i]}));
    }
  }
}

TEST_CASE("other texts have parts that are no types, or none") {
  for (const char* text : {"", "{", "\n]}", R"({"format":1,"types":[)",
                           R"({"format":1,"types":[]})", R"({"format":2,"types":[\n{}\n]})",
                           // The first type begins on the line of the head.
                           "{\"format\":1,\"types\":[{\"name\":\"a\"},\n{\"name\":\"b\"}\n]}"}) {
    CHECK(lines_of_types(text).empty());
  }
  for (const char* rest : {"\n]}", "\n\n]}", "\n,\n]}", "{}\n\n]}", "\n{},\n]\n]}"}) {
    const std::string text = std::string(R"({"format":1,"types":[)") + rest;
    for (const std::string_view line : lines_of_types(text)) {
      CHECK_THROWS_AS(type_from_json(line), Error);
    }
  }
  CHECK_THROWS_WITH(type_from_json(std::string(1000, '[')), ContainsSubstring("nested"));
}

TEST_CASE("Parameter types are spelt for people") {
  const TypeInfo type = full_type();
  CHECK(to_string(type.parameters[0].type) == "float64");
  CHECK(to_string(type.parameters[1].type) == "list<pair<string, array<int8, 3>>, 7>");
  CHECK(to_string(type.parameters[2].type) == "enum");
  CHECK(to_string(type.parameters[3].type) == "handle<gxr::Receiver>");
  CHECK(to_string({Kind::Map, {}, {plain(Kind::Bool)}, 0, {}}) == "map<bool>");
}

TEST_CASE("Every kind has a name that reads back") {
  for (int number = 0; number <= static_cast<int>(Kind::Any); ++number) {
    const auto kind = static_cast<Kind>(number);
    TypeInfo type = full_type();
    type.parameters.resize(1);
    type.capabilities.clear();
    const std::size_t elements = kind == Kind::Pair ? 2
                                 : kind == Kind::List || kind == Kind::Array || kind == Kind::Map
                                     ? 1
                                     : 0;
    type.parameters[0].type = {
        kind, {}, std::vector<ParameterType>(elements, plain(Kind::Bool)), 0, {}};
    CHECK(types_from_json(types_to_json({type}))[0].parameters[0].type.kind == kind);
  }
}

TEST_CASE("A damaged type list is refused") {
  CHECK_THROWS_AS(types_from_json(""), Error);
  CHECK_THROWS_AS(types_from_json("[]"), Error);
  CHECK_THROWS_AS(types_from_json("{}"), Error);
  CHECK_THROWS_WITH(types_from_json(R"({"format":2,"types":[]})"), ContainsSubstring("format 2"));
  CHECK_THROWS_AS(types_from_json(R"({"format":1,"types":[{}]})"), Error);
  CHECK_THROWS_AS(types_from_json(R"({"format":1,"types":[{"name":"a","id":"0"}]})"), Error);
  CHECK_THROWS_AS(types_from_json(R"({"format":1,"types":[{"name":1,"id":"0"}]})"), Error);
  const std::string before =
      R"({"format":1,"types":[{"name":"a","id":"0000000000000000:0000000000000000","parameters":[{"key":"k","type":)";
  CHECK(types_from_json(before + R"("int8"}]}]})").size() == 1);
  CHECK_THROWS_WITH(types_from_json(before + R"("int7"}]}]})"), ContainsSubstring("int7"));
  CHECK_THROWS_AS(types_from_json(before + R"({"kind":"pair","of":["bool"]}}]}]})"), Error);
  CHECK_THROWS_AS(types_from_json(before + R"("list"}]}]})"), Error);
  CHECK_THROWS_AS(types_from_json(before + "3}]}]}"), Error);
}

TEST_CASE("Damaged parts of ports are refused") {
  const auto part = [](const std::string& facts) {
    return types_from_json(
        R"({"format":1,"types":[{"name":"a","id":"0000000000000000:0000000000000000",)"
        R"("ports":[{"key":"in","direction":"input","parts":[{)" +
        facts + "}]}]}]}");
  };
  CHECK(part(R"("type":"gxr::Tensor","rank":8,"dimensions":[-1,2147483647])").size() == 1);
  CHECK_THROWS_AS(part(""), Error);
  CHECK_THROWS_AS(part(R"("type":"a\nb")"), Error);
  for (const char* rank : {"-1", "9", "1.5", "1e300", "18446744073709551615", "\"2\"", "null"}) {
    INFO(rank);
    CHECK_THROWS_AS(part(R"("type":"a","rank":)" + std::string(rank)), Error);
  }
  for (const char* list : {"[-2]", "[2147483648]", "[0.5]", "[[1]]", "3"}) {
    INFO(list);
    CHECK_THROWS_AS(part(R"("type":"a","dimensions":)" + std::string(list)), Error);
  }
  CHECK_THROWS_AS(part(R"("type":"a","elements":[1])"), Error);
  CHECK_THROWS_AS(part(R"("type":"a","formats":["\u001b"])"), Error);
}

TEST_CASE("Damaged capabilities are refused") {
  const auto capabilities = [](const std::string& list) {
    return types_from_json(
        R"({"format":1,"types":[{"name":"a","id":"0000000000000000:0000000000000000",)"
        R"("parameters":[{"key":"n","type":"int64"},{"key":"t","type":"string"},)"
        R"({"key":"b","type":"bool"},{"key":"d","type":"duration"},{"key":"h","type":"handle"},)"
        R"({"key":"h2","type":"handle"},)"
        R"({"key":"names","type":{"kind":"list","of":["string"]},"default":"[]"},)"
        R"({"key":"some","type":{"kind":"list","of":["string"]},"default":"[a]"},)"
        R"({"key":"launch","type":{"kind":"enum","choices":[{"name":"in_iteration"},)"
        R"({"name":"sibling"}]}},)"
        R"({"key":"word","type":{"kind":"enum","choices":[{"name":"sibling"},{"name":"now"}]}}],)"
        R"("capabilities":)" +
        list + "}]}");
  };
  CHECK(capabilities(R"([{"kind":"limits_ticks","parameters":["n"]}])").size() == 1);
  CHECK(capabilities(R"([{"kind":"remote_queue"},{"kind":"tells_shapes"}])").size() == 1);
  CHECK(
      capabilities(R"([{"kind":"branch_every","parameters":["n","names","n","launch"]}])").size() ==
      1);
  CHECK(capabilities(R"([{"kind":"publishes","parameters":["h","n"]},)"
                     R"({"kind":"publishes","parameters":["h2","n"]}])")
            .size() == 1);
  for (const char* list : {"3", "[3]", "[{}]", R"(["limits_ticks"])", R"([{"kind":7}])",
                           R"([{"kind":"limits_ticks","parameters":"n"}])",
                           R"([{"kind":"limits_ticks","parameters":["n\u001b"]}])",
                           R"([{"kind":"remote_queue","value":3}])"}) {
    INFO(list);
    CHECK_THROWS_AS(capabilities(list), Error);
  }
  struct Flaw {
    const char* list;
    const char* text;
  };
  for (const auto& [list, text] :
       {Flaw{R"([{"kind":"flies"}])", "unknown capability 'flies'"},
        Flaw{R"([{"kind":"limits_ticks"}])", "names no parameter where it needs one"},
        Flaw{R"([{"kind":"limits_ticks","parameters":["m"]}])", "'m', which the type does not"},
        Flaw{R"([{"kind":"limits_ticks","parameters":["t"]}])", "needs an integer"},
        Flaw{R"([{"kind":"limits_ticks","parameters":["n","n"]}])", "too many"},
        Flaw{R"([{"kind":"remote_queue"},{"kind":"remote_queue"}])", "declared twice"},
        Flaw{R"([{"kind":"remote_queue"},{"kind":"joins_topic","parameters":["t"]}])",
             "contradict each other"},
        Flaw{R"([{"kind":"limits_ticks","parameters":["n"]},)"
             R"({"kind":"paces_ticks","parameters":["d"]}])",
             "limits_ticks() and paces_ticks() are for two scheduling terms"},
        Flaw{R"([{"kind":"switches_ticks","parameters":["b"]},)"
             R"({"kind":"waits_for_room","parameters":["h","n"]}])",
             "switches_ticks() and waits_for_room() are for two scheduling terms"},
        Flaw{R"([{"kind":"branch_every","parameters":["n","names","n","word"]}])",
             "needs an enumeration of in_iteration, fire_and_forget and sibling"},
        Flaw{R"([{"kind":"branch_every","parameters":["n","some","n","launch"]}])",
             "needs names that are written, but the parameter 'some' has some by default"},
        Flaw{R"([{"kind":"publishes","parameters":["h","n"]},)"
             R"({"kind":"publishes","parameters":["h","n"]}])",
             "publishes() is declared twice"},
        Flaw{R"([{"kind":"publishes_all_messages","parameters":["h"]}])",
             "publishes_all_messages() needs takes_all_messages()"},
        Flaw{R"([{"kind":"passes_each_message","parameters":["t"]}])", "and its value"},
        Flaw{R"([{"kind":"passes_messages","value":"t"}])", "and its value"}}) {
    INFO(list);
    CHECK_THROWS_WITH(capabilities(list), ContainsSubstring(text));
  }
}

TEST_CASE("Every capability has a name that reads back, and a text") {
  for (std::size_t number = 0; number < Capability::kKinds; ++number) {
    const auto kind = static_cast<Capability::Kind>(number);
    CHECK(parse_capability_kind(to_string(kind)) == kind);
    const std::string text = describe_capability({kind, {"one", "two", "three", "four"}, {}});
    CHECK_FALSE(text.empty());
    CHECK(text.find_first_of("[]{}") == std::string::npos);
  }
  CHECK(describe_capability({Capability::Kind::LimitsTicks, {"n"}, {}}) ==
        "limits the count of ticks to 'n'");
  CHECK(describe_capability({Capability::Kind::RemoteQueue, {}, {}}) == "remote queue");
  CHECK(describe_capability({Capability::Kind::PublishesAllMessages, {"out"}, {}}) ==
        "publishes all messages that it takes on 'out'");
  CHECK(describe_capability({Capability::Kind::PublishesAllMessages, {"out", "n"}, {}}) ==
        "publishes all messages that it takes on 'out', in one tick up to 'n' of each receiver");
  CHECK(describe_capability({Capability::Kind::RemoteQueue, {"at"}, {}}) ==
        "remote queue, at 'at'");
  CHECK(describe_capability({Capability::Kind::PassesEachMessage, {"mode"}, "All"}) ==
        "passes each message on if 'mode' is All");
}

TEST_CASE("A type nested without end is refused") {
  std::string deep = "\"bool\"";
  for (int i = 0; i < 5000; ++i) {
    deep = R"({"kind":"list","of":[)" + deep + "]}";
  }
  CHECK_THROWS_WITH(
      types_from_json(
          R"({"format":1,"types":[{"name":"a","id":"0000000000000000:0000000000000000","parameters":[{"key":"k","type":)" +
          deep + "}]}]}"),
      ContainsSubstring("levels deep"));
}

}  // namespace
}  // namespace gxr
