#include "registry/extension_loader.hpp"

#include <memory>

#include "catch.hpp"
#include "gxr/component.hpp"
#include "gxr/error.hpp"
#include "registry/extension_library.hpp"

namespace gxr {
namespace {

using Catch::Matchers::ContainsSubstring;

/// One of the libraries of tests/extensions.
std::filesystem::path library(const std::string& name) {
  return std::filesystem::path(GXR_BINARY_DIR) / "tests/extensions" / (name + ".so");
}

std::string reason(const std::string& name, const std::string& type) {
  TypeCatalog catalog;
  catalog.add_extension(library(name));
  ExtensionLoader loader(catalog);
  const TypeInfo* info = catalog.find(type);
  REQUIRE(info != nullptr);
  try {
    loader.creator(*info);
  } catch (const Error& error) {
    return error.message();
  }
  return "loaded";
}

TEST_CASE("A type's constructor makes a component") {
  TypeCatalog catalog;
  catalog.add_extension(library("good"));
  ExtensionLoader loader(catalog);
  CHECK(loader.creator(*catalog.find("old::Kinds"))() != nullptr);
  CHECK(loader.creator(*catalog.find("test::Kinds"))() != nullptr);
}

TEST_CASE("Abstract types and types without a file have no constructor") {
  TypeCatalog catalog;
  catalog.add_extension(library("good"));
  ExtensionLoader loader(catalog);
  CHECK_THROWS_AS(loader.creator(*catalog.find("test::Shape")), Error);
  CHECK_THROWS_AS(loader.creator(TypeInfo{}), Error);
}

TEST_CASE("Each way in which a library cannot be loaded has its message") {
  CHECK_THAT(reason("missing_factory", "test::MissingFactory"),
             ContainsSubstring("has no function gxr_extension"));
  CHECK_THAT(reason("undefined_symbol", "test::UndefinedSymbol"),
             ContainsSubstring("it uses 'elsewhere::not_defined_anywhere(std::") &&
                 ContainsSubstring("no library that it was linked with defines"));
  CHECK_THAT(
      reason("undefined_engine_symbol", "test::UndefinedEngineSymbol"),
      ContainsSubstring("it uses 'gxr::removed_from_the_sdk(int)', which this gxr does not have"));
  CHECK_THAT(reason("stale_types", "test::Gone"), ContainsSubstring("does not register it"));
  CHECK_THAT(reason("throwing_factory", "test::ThrowingFactory"),
             ContainsSubstring("failed: std::runtime_error: no licence for this machine"));
}

TEST_CASE("A library can be loaded again") {
  CHECK(load_extension_library(library("good")).size() ==
        load_extension_library(library("good")).size());
}

TEST_CASE("A missing file is not searched elsewhere") {
  CHECK_THROWS_WITH(load_extension_library("libc.so.6"), ContainsSubstring("cannot be loaded"));
}

}  // namespace
}  // namespace gxr
