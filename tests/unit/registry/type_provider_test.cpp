#include "registry/type_provider.hpp"

#include <memory>
#include <string>

#include "catch.hpp"
#include "extension_bytes.hpp"
#include "gxr/error.hpp"
#include "gxr/interface.hpp"
#include "registry/extension_loader.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

namespace provider_test {

/// Sends on what comes, every so often.
class Sieve final : public Codelet {
 public:
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Numbers");
    interface.output(out_, "out", "Some of them");
    interface.parameter(every_, "every", "One of how many is sent on").default_value(2).minimum(1);
  }
  void tick() override {}

 private:
  Input<std::int64_t> in_;
  Output<std::int64_t> out_;
  Parameter<std::uint64_t> every_;
};

class Broken final : public Codelet {
 public:
  Broken() { throw Error(ErrorCode::Failure, "no licence"); }
  void tick() override {}
};

class Unnameable final : public Codelet {
 public:
  void declare(Interface& interface) override {
    interface.parameter(level_, "a key", "A number").default_value(7).range(0, 3);
  }
  void tick() override {}

 private:
  Parameter<std::int64_t> level_;
};

}  // namespace provider_test

namespace {

using Catch::Matchers::ContainsSubstring;
using provider_test::Sieve;
using test::type_named;

TypeProvider sieves(const std::string& name = "sieves") {
  return provide_types(name, [](Extension& extension) {
    extension.add<Sieve>("Sends some numbers on").alias("sieve");
  });
}

template <class F>
std::string refusal_of(F&& call) {
  try {
    call();
  } catch (const Error& error) {
    return std::string(to_string(error.code())) + ": " + error.message();
  }
  return "accepted";
}

TEST_CASE("A provider's types are known with parameters and ports, and are made") {
  TypeCatalog catalog;
  catalog.add_provider(sieves());
  const TypeInfo* const type = catalog.find("sieve");
  REQUIRE(type != nullptr);
  CHECK(type->name == "gxr::provider_test::Sieve");
  CHECK(type->extension == "sieves");
  CHECK(type->base == "gxr::Codelet");
  REQUIRE(type->parameters.size() == 3);
  CHECK(type->parameters[2].default_value == "2");
  REQUIRE(type->ports.size() == 2);
  CHECK(type->ports[0].parts.front().type == "int64_t");
  CHECK(catalog.names().size() == 2);
  const ExtensionFile* const file = catalog.file_of(*type);
  REQUIRE(file != nullptr);
  CHECK(file->provided);
  ExtensionLoader loader(catalog);
  const std::unique_ptr<Component> made = loader.creator(*type)();
  CHECK(dynamic_cast<Sieve*>(made.get()) != nullptr);
}

TEST_CASE("A type of a provider in an extension, too, is a conflict that names both") {
  TypeCatalog catalog;
  catalog.add_provider(sieves());
  catalog.add_types("other", {type_named("gxr::provider_test::Sieve")});
  TypeCatalog::Conflict conflict;
  CHECK(catalog.find("gxr::provider_test::Sieve", &conflict) == nullptr);
  CHECK(conflict.first.string() == "sieves");
  CHECK(conflict.second.string() == "other");
  CHECK(conflict.provided);
}

TEST_CASE("What a provider says of its types is checked") {
  const std::string wrong = refusal_of([] {
    provide_types("wrong", [](Extension& extension) {
      extension.add<provider_test::Unnameable>("Has a key with a blank");
    });
  });
  CHECK_THAT(wrong, ContainsSubstring("the types of 'wrong' cannot be used:"));
  CHECK_THAT(wrong, ContainsSubstring("a key is not empty and holds no blank"));
  CHECK_THAT(wrong, ContainsSubstring("its default '7' lies outside its range"));
  const std::string broken = refusal_of([] {
    provide_types("broken", [](Extension& extension) {
      extension.add<provider_test::Broken>("Cannot be made");
    });
  });
  CHECK_THAT(broken, ContainsSubstring("constructor or declare of 'gxr::provider_test::Broken' "
                                       "failed: "));
  CHECK_THAT(broken, ContainsSubstring("no licence"));

  TypeCatalog catalog;
  TypeProvider unmade = sieves();
  unmade.types.front().create = nullptr;
  CHECK_THAT(refusal_of([&] { catalog.add_provider(unmade); }),
             ContainsSubstring("'gxr::provider_test::Sieve' has no function that makes"));
  CHECK_THAT(refusal_of([&] { catalog.add_provider(sieves("")); }),
             ContainsSubstring("the provider has no name"));
  TypeProvider twice = sieves();
  twice.types.push_back(twice.types.front());
  CHECK_THAT(refusal_of([&] { catalog.add_provider(twice); }), ContainsSubstring("is given twice"));
  TypeProvider by_hand = sieves();
  TypeInfo& info = by_hand.types.front().info;
  info.parameters.back().type = {ParameterType::Kind::List, {}, {}, 0, {}};
  info.parameters.back().default_value = "[1]";
  CHECK_THAT(refusal_of([&] { catalog.add_provider(by_hand); }),
             ContainsSubstring("a list type needs 1 element types"));
  by_hand = sieves();
  by_hand.types.front().info.ports.front().key = "nowhere";
  by_hand.types.front().info.capabilities = {{static_cast<Capability::Kind>(99), {}, {}}};
  const std::string refusal = refusal_of([&] { catalog.add_provider(by_hand); });
  CHECK_THAT(refusal, ContainsSubstring("the type declares no parameter of this key"));
  CHECK_THAT(refusal, ContainsSubstring("a capability of a kind that there is not"));
  CHECK(catalog.types().empty());
}

}  // namespace
}  // namespace gxr
