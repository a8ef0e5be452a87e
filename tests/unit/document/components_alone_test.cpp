#include "document/components_alone.hpp"

#include <string>

#include "catch.hpp"
#include "document/parsed.hpp"

using namespace gxr;
using namespace gxr::test;

TEST_CASE("a component alone has a type and no key but those of components") {
  CHECK(is_component(Parsed("type: a::B").root()));
  CHECK(is_component(Parsed("name: b\ntype: a::B\nparameters: {in: x}").root()));
  CHECK(place(type_key(Parsed("name: b\ntype: a::B").root())) == "2:1");
  CHECK_FALSE(is_component(Parsed("name: b\nparameters: {in: x}").root()));
  CHECK_FALSE(is_component(Parsed("type: a::B\ncomponents: []").root()));
  CHECK_FALSE(is_component(Parsed("type: a::B\ninputs: {in: tx}").root()));
}

TEST_CASE("a list of components has nothing else in it") {
  const auto is_list = [](const std::string& text) {
    const Parsed parsed(text);
    REQUIRE(parsed.document.unusable().size() == 1);
    return lists_components(*parsed.document.unusable().front().root);
  };
  CHECK(is_list("- type: a::B"));
  CHECK(is_list("- {name: b, type: a::B}\n- {type: a::C, parameters: {}}"));
  CHECK_FALSE(is_list("- {name: b, components: []}"));
  CHECK_FALSE(is_list("- type: a::B\n- just text"));
  CHECK_FALSE(is_list("[]"));
}

TEST_CASE("the message about components alone says where they belong") {
  CHECK_THAT(Parsed("- type: a::B").messages(),
             Catch::Matchers::ContainsSubstring("put these under 'components:' of an entity"));
  CHECK_THAT(Parsed("- text").messages(),
             Catch::Matchers::ContainsSubstring("a document has keys such as"));
}
