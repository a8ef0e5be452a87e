#include "registry/declaration.hpp"

#include <limits>
#include <stdexcept>

#include "catch.hpp"
#include "gxr/component.hpp"
#include "gxr/extension.hpp"

namespace gxr {
namespace {

using Kind = ParameterType::Kind;
using Catch::Matchers::ContainsSubstring;

TypeInfo type_with(const ParameterInfo& parameter) {
  TypeInfo type;
  type.name = "test::A";
  type.parameters.push_back(parameter);
  return type;
}

ParameterInfo declared(Kind kind) {
  ParameterInfo parameter;
  parameter.key = "key";
  parameter.type = {kind, {}, {}, 0, {}};
  return parameter;
}

std::string only_problem(const std::vector<TypeInfo>& types) {
  const std::vector<std::string> problems = check_declarations(types);
  REQUIRE(problems.size() == 1);
  return problems.front();
}

TypeInfo named(const std::string& name) {
  TypeInfo type;
  type.name = name;
  return type;
}

TEST_CASE("Names that YAML cannot use are refused") {
  CHECK(check_declarations({named("test::A"), named("Global"), named("a::b::C_1")}).empty());
  CHECK_THAT(only_problem({named("{anonymous}::A")}), ContainsSubstring("unnamed namespace"));
  CHECK_THAT(only_problem({named("test::(anonymous namespace)::A")}),
             ContainsSubstring("unnamed namespace"));
  CHECK_THAT(only_problem({named("test::A<int>")}), ContainsSubstring("template"));
  CHECK_THAT(only_problem({named("main()::A")}), ContainsSubstring("not a C++ name"));
  CHECK_THAT(only_problem({named("")}), ContainsSubstring("empty name"));
  TypeInfo data = named("std::complex<float>");
  data.component = false;
  CHECK(check_declarations({data}).empty());
}

TEST_CASE("Names and aliases are given once") {
  TypeInfo alias = named("test::B");
  alias.aliases = {"test::A"};
  CHECK_THAT(only_problem({named("test::A"), alias}),
             ContainsSubstring("'test::A' is given twice"));
  CHECK_THAT(only_problem({named("test::A"), named("test::A")}), ContainsSubstring("given twice"));
  TypeInfo own = named("test::A");
  own.aliases = {"test::A"};
  CHECK_THAT(only_problem({own}), ContainsSubstring("given twice"));
}

TEST_CASE("Parameter keys can be written in overrides and are given once") {
  ParameterInfo parameter = declared(Kind::Bool);
  for (const char* key : {"", "a/b", "a=b", "a b"}) {
    parameter.key = key;
    CHECK_THAT(only_problem({type_with(parameter)}), ContainsSubstring("a key is not empty"));
  }
  TypeInfo twice = type_with(declared(Kind::Bool));
  twice.parameters.push_back(declared(Kind::Int8));
  CHECK_THAT(only_problem({twice}), ContainsSubstring("declared twice"));
}

TEST_CASE("Defaults obey range and choices") {
  ParameterInfo number = declared(Kind::Int32);
  number.minimum = 0;
  number.maximum = 10;
  number.default_value = "10";
  CHECK(check_declarations({type_with(number)}).empty());
  number.default_value = "11";
  CHECK_THAT(only_problem({type_with(number)}),
             ContainsSubstring("its default '11' lies outside its range"));
  number.default_value = "-1";
  CHECK_THAT(only_problem({type_with(number)}), ContainsSubstring("outside"));
  number.maximum.reset();
  number.minimum.reset();
  number.choices = {{"0", ""}, {"0x2", ""}};
  number.default_value = "2";
  CHECK(check_declarations({type_with(number)}).empty());
  number.default_value = "1";
  CHECK_THAT(only_problem({type_with(number)}), ContainsSubstring("not among its choices"));

  ParameterInfo text = declared(Kind::String);
  text.choices = {{"a", ""}, {"b c", ""}};
  text.default_value = "\"b c\"";
  CHECK(check_declarations({type_with(text)}).empty());
  text.default_value = "b";
  CHECK_THAT(only_problem({type_with(text)}), ContainsSubstring("not among"));
}

TEST_CASE("Elements of a default list obey them too") {
  ParameterInfo list = declared(Kind::List);
  list.type.of = {{Kind::Float32, {}, {}, 0, {}}};
  list.minimum = 0;
  list.default_value = "[0.5, 1]";
  CHECK(check_declarations({type_with(list)}).empty());
  list.default_value = "[0.5, -1]";
  CHECK_THAT(only_problem({type_with(list)}), ContainsSubstring("outside"));
}

TEST_CASE("Defaults have the form of their type") {
  ParameterInfo list = declared(Kind::List);
  list.type.of = {{Kind::Int32, {}, {}, 0, {}}};
  list.default_value = "3";
  CHECK_THAT(only_problem({type_with(list)}), ContainsSubstring("'3' is not a list"));
  list.type.length = 1;
  list.default_value = "[1, 2]";
  CHECK_THAT(only_problem({type_with(list)}), ContainsSubstring("at most 1 is allowed"));
  list.type.kind = Kind::Array;
  CHECK_THAT(only_problem({type_with(list)}), ContainsSubstring("exactly 1 is needed"));

  ParameterInfo map = declared(Kind::Map);
  map.type.of = {{Kind::Int32, {}, {}, 0, {}}};
  map.default_value = "{a: 1, b: two}";
  CHECK_THAT(only_problem({type_with(map)}), ContainsSubstring("'two' is not an integer"));
  map.default_value = "[1]";
  CHECK_THAT(only_problem({type_with(map)}), ContainsSubstring("is not a map"));

  ParameterInfo pair = declared(Kind::Pair);
  pair.type.of = {{Kind::String, {}, {}, 0, {}}, {Kind::Duration, {}, {}, 0, {}}};
  pair.default_value = "[a, 1ms]";
  CHECK(check_declarations({type_with(pair)}).empty());
  pair.default_value = "[a, 0ms]";
  CHECK_THAT(only_problem({type_with(pair)}), ContainsSubstring("'0ms' is not a duration"));
}

TEST_CASE("A default that no enumerator has is found") {
  ParameterInfo mode = declared(Kind::Enum);
  mode.type.choices = {{"Fast", ""}};
  mode.default_value = "";
  CHECK_THAT(only_problem({type_with(mode)}), ContainsSubstring("not among"));
}

TEST_CASE("An empty range is found") {
  ParameterInfo number = declared(Kind::Float64);
  number.minimum = 2;
  number.maximum = 1;
  CHECK_THAT(only_problem({type_with(number)}), ContainsSubstring("range is empty"));
  number.maximum = std::numeric_limits<double>::quiet_NaN();
  CHECK_THAT(only_problem({type_with(number)}), ContainsSubstring("range is empty"));
}

TEST_CASE("Types made by hand lack no elements, and have kinds that there are") {
  for (const Kind kind : {Kind::List, Kind::Array, Kind::Map, Kind::Pair}) {
    ParameterInfo parameter = declared(kind);
    parameter.default_value = kind == Kind::List || kind == Kind::Array ? "[1]" : "{a: 1}";
    CHECK_THAT(only_problem({type_with(parameter)}), ContainsSubstring("element types"));
    parameter = declared(Kind::List);
    parameter.type.of = {{kind, {}, {}, 0, {}}};
    CHECK_THAT(only_problem({type_with(parameter)}), ContainsSubstring("element types"));
  }
  ParameterInfo strange = declared(static_cast<Kind>(200));
  TypeInfo type = type_with(strange);
  type.capabilities = {{Capability::Kind::LimitsTicks, {"key"}, {}}};
  CHECK_THAT(only_problem({type}), ContainsSubstring("of a kind that there is not"));
}

TEST_CASE("Capabilities made by hand have kinds that there are") {
  TypeInfo type = named("test::A");
  for (const std::size_t kind : {Capability::kKinds, std::size_t{255}}) {
    type.capabilities = {{static_cast<Capability::Kind>(kind), {}, {}}};
    CHECK_THAT(only_problem({type}), ContainsSubstring("of a kind that there is not"));
  }
}

TEST_CASE("A port is a parameter") {
  TypeInfo type = type_with(declared(Kind::Handle));
  type.ports.resize(1);
  type.ports.front().key = "key";
  CHECK(check_declarations({type}).empty());
  type.ports.front().key = "kye";
  CHECK_THAT(only_problem({type}),
             ContainsSubstring("port 'kye' of 'test::A': the type declares no parameter"));
}

// --- declaring ---------------------------------------------------------------------------------

class Declares : public Component {
 public:
  void declare(Interface& interface) override {
    interface.parameter(a_, "a", "First")
        .range(0, std::numeric_limits<double>::infinity())
        .default_value(3);
  }

 private:
  Parameter<int> a_;
};

class Logs : public Component {
 public:
  void declare(Interface&) override { log_info("too early"); }
};

class Throws : public Component {
 public:
  Throws() { throw 42; }
};

template <class T>
RegisteredType registered(const std::string& name) {
  return {named(name), []() -> Component* { return new T(); }};
}

TEST_CASE("Interfaces are collected and failures reported for each type") {
  std::vector<RegisteredType> types;
  types.push_back(registered<Logs>("test::Logs"));
  types.push_back(registered<Throws>("test::Throws"));
  types.push_back(registered<Declares>("test::Declares"));
  types.push_back({named("test::Abstract"), nullptr});
  const std::vector<std::string> problems = declare_interfaces(types);
  REQUIRE(problems.size() == 2);
  CHECK_THAT(problems[0],
             ContainsSubstring("'test::Logs' failed: constructor and declare must not log"));
  CHECK_THAT(problems[1],
             ContainsSubstring("'test::Throws' threw something that is not a std::exception"));
  REQUIRE(types[2].info.parameters.size() == 1);
  const ParameterInfo& a = types[2].info.parameters[0];
  CHECK(a.default_value == "3");
  CHECK(a.minimum == 0.0);
  CHECK_FALSE(a.maximum);
}

}  // namespace
}  // namespace gxr
