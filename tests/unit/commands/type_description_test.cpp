#include "commands/type_description.hpp"

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "commands/type_table.hpp"
#include "gxr/codelet.hpp"
#include "gxr/interface.hpp"
#include "registry/type_catalog.hpp"

namespace gxr::commands {

namespace description_test {

class Window final : public Codelet {
 public:
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Numbers to show");
    interface.parameter(width_, "width", "Width of the window")
        .default_value(640)
        .range(1, 8192)
        .unit("pixels");
  }
  void tick() override {}

 private:
  Input<std::int64_t> in_;
  Parameter<std::int32_t> width_;
};

}  // namespace description_test

namespace {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("A type of a provider is described like one of an extension, without a file") {
  TypeProvider viewer = provide_types("viewer", [](Extension& extension) {
    extension.add<description_test::Window>("Shows numbers");
  });
  viewer.version = "1.2.3";
  viewer.description = "Windows of the program";
  TypeCatalog catalog;
  catalog.add_provider(viewer);
  const TypeInfo* const type = catalog.find("gxr::commands::description_test::Window");
  REQUIRE(type != nullptr);

  const std::string text = describe_type(catalog, *type);
  CHECK_THAT(text, ContainsSubstring("Shows numbers"));
  CHECK_THAT(text, ContainsSubstring("viewer 1.2.3"));
  CHECK_THAT(text, ContainsSubstring("Numbers to show"));
  CHECK_THAT(text, ContainsSubstring("width"));
  CHECK_THAT(text, ContainsSubstring("pixels"));
  CHECK_THAT(text, !ContainsSubstring("file "));

  const nlohmann::ordered_json json = describe_type_as_json(catalog, *type);
  CHECK(json["extension"] == "viewer");
  CHECK_FALSE(json.contains("file"));
  CHECK(json["parameters"][1]["key"] == "width");
  CHECK(json["parameters"][1]["maximum"] == 8192.0);

  REQUIRE(catalog.extensions().size() == 1);
  const ExtensionFile& listed = *catalog.extensions().front();
  CHECK(title(listed) == "viewer 1.2.3");
  const std::string extension = describe_extension(listed);
  CHECK_THAT(extension, ContainsSubstring("Windows of the program"));
  CHECK_THAT(extension, ContainsSubstring("gxr::commands::description_test::Window"));
  CHECK_FALSE(describe_extension_as_json(listed).contains("file"));
}

}  // namespace
}  // namespace gxr::commands
