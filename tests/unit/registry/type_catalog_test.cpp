#include "registry/type_catalog.hpp"

#include <chrono>
#include <thread>

#include "catch.hpp"
#include "extension_bytes.hpp"
#include "gxr/error.hpp"
#include "registry/extension_index.hpp"
#include "registry/type_json.hpp"
#include "temporary_folder.hpp"

namespace gxr {
namespace {

using Catch::Matchers::ContainsSubstring;
using test::extension_with;
using test::type_named;

/// Gives this process a cache folder of its own.
class CacheFolder {
 public:
  CacheFolder() { ::setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1); }
  ~CacheFolder() { ::unsetenv("XDG_CACHE_HOME"); }
  CacheFolder(const CacheFolder&) = delete;
  CacheFolder& operator=(const CacheFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

 private:
  test::TemporaryFolder folder_;
};

/// Files that changed just now are not put into the index.
void let_files_settle() { std::this_thread::sleep_for(std::chrono::milliseconds(70)); }

TypeInfo with_alias(TypeInfo type, const std::string& alias) {
  type.aliases.push_back(alias);
  return type;
}

std::vector<std::string> type_names(const TypeCatalog& catalog) {
  std::vector<std::string> names;
  for (const TypeInfo* type : catalog.types()) {
    names.push_back(type->name);
  }
  return names;
}

TEST_CASE("Types are found by name and alias") {
  TypeCatalog catalog;
  catalog.add_types("one", {with_alias(type_named("a::A"), "b::A"), type_named("a::B")});
  REQUIRE(catalog.find("a::A") != nullptr);
  CHECK(catalog.find("b::A") == catalog.find("a::A"));
  CHECK(catalog.find("a::A")->extension == "one");
  CHECK(catalog.find("a::C") == nullptr);
  CHECK(catalog.find("") == nullptr);
  CHECK(catalog.names() == std::vector<std::string_view>{"a::A", "a::B", "b::A"});
  CHECK(catalog.file_of(*catalog.find("a::B"))->path.string() == "one");
  const TypeInfo elsewhere = type_named("a::A");
  CHECK(catalog.file_of(elsewhere) == nullptr);
}

TEST_CASE("is_a follows base names and aliases across extensions") {
  TypeCatalog catalog;
  catalog.add_types("two", {type_named("c::C", "b::B")});
  catalog.add_types(
      "one", {with_alias(type_named("a::A"), "alias::A"),
              with_alias(type_named("a::B", "alias::A"), "b::B"), type_named("x::Loop", "x::Pool"),
              type_named("x::Pool", "x::Loop"), type_named("o::Orphan", "gone::Base")});
  const TypeInfo& c = *catalog.find("c::C");
  CHECK(catalog.is_a(c, "c::C"));
  CHECK(catalog.is_a(c, "a::B"));
  CHECK(catalog.is_a(c, "a::A"));
  CHECK(catalog.is_a(c, "alias::A"));
  CHECK_FALSE(catalog.is_a(*catalog.find("a::A"), "c::C"));
  CHECK_FALSE(catalog.is_a(c, "unknown"));
  CHECK(catalog.is_a(*catalog.find("x::Loop"), "x::Pool"));
  CHECK_FALSE(catalog.is_a(*catalog.find("x::Loop"), "a::A"));
  CHECK(catalog.is_a(*catalog.find("o::Orphan"), "gone::Base"));
}

TEST_CASE("A type in two explicit extensions is a conflict that names both") {
  TypeCatalog catalog;
  catalog.add_types("one", {type_named("a::A"), type_named("a::B")});
  catalog.add_types("two", {type_named("a::A")});
  TypeCatalog::Conflict conflict;
  CHECK(catalog.find("a::A", &conflict) == nullptr);
  CHECK(conflict.first.string() == "one");
  CHECK(conflict.second.string() == "two");
  TypeCatalog::Conflict none;
  CHECK(catalog.find("a::B", &none) != nullptr);
  CHECK(none.first.empty());
}

TEST_CASE("Explicit extensions hide installed types of the same name") {
  const CacheFolder cache;
  const test::TemporaryFolder installed;
  const test::TemporaryFolder other;
  installed.write("a.so", extension_with("installed", {type_named("a::A"), type_named("a::B")}));
  TypeCatalog catalog;
  catalog.add_installed_folder(installed.path());
  catalog.add_extension(other.write("a.so", extension_with("explicit", {type_named("a::A")})));
  TypeCatalog::Conflict conflict;
  REQUIRE(catalog.find("a::A", &conflict) != nullptr);
  CHECK(catalog.find("a::A")->extension == "explicit");
  CHECK(catalog.find("a::B")->extension == "installed");
  CHECK(type_names(catalog) == std::vector<std::string>{"a::A", "a::B"});
  CHECK(catalog.extensions().size() == 2);
}

TEST_CASE("A named extension hides one of the variable, and that an installed one") {
  const CacheFolder cache;
  const test::TemporaryFolder installed;
  const test::TemporaryFolder listed;
  const test::TemporaryFolder named;
  const std::vector<TypeInfo> both = {type_named("a::A"), type_named("a::B")};
  installed.write("a.so", extension_with("installed", both));
  listed.write("a.so", extension_with("listed", both));
  TypeCatalog catalog;
  catalog.add_extension(named.write("a.so", extension_with("named", {type_named("a::A")})));
  catalog.add_variable_folder(listed.path());
  catalog.add_installed_folder(installed.path());
  REQUIRE(catalog.find("a::A") != nullptr);
  CHECK(catalog.find("a::A")->extension == "named");
  CHECK(catalog.find("a::B")->extension == "listed");
  CHECK(type_names(catalog) == std::vector<std::string>{"a::A", "a::B"});
  listed.write("b.so", extension_with("listed too", {type_named("a::B")}));
  TypeCatalog again;
  again.add_variable_folder(listed.path());
  TypeCatalog::Conflict conflict;
  CHECK(again.find("a::B", &conflict) == nullptr);
  CHECK(conflict.rank == ExtensionRank::InVariable);
}

TEST_CASE("Two installed files with one type are a conflict") {
  const CacheFolder cache;
  const test::TemporaryFolder installed;
  installed.write("1.so", extension_with("one", {type_named("a::A")}));
  installed.write("2.so", extension_with("two", {type_named("a::A")}));
  TypeCatalog catalog;
  catalog.add_installed_folder(installed.path());
  TypeCatalog::Conflict conflict;
  CHECK(catalog.find("a::A", &conflict) == nullptr);
  CHECK(conflict.first.filename().string() == "1.so");
  CHECK(conflict.second.filename().string() == "2.so");
}

TEST_CASE("A file named twice, also through a link, is one extension") {
  const CacheFolder cache;
  const test::TemporaryFolder folder;
  const auto file = folder.write("a.so", extension_with("one", {type_named("a::A")}));
  std::filesystem::create_symlink(file, folder.path() / "link.so");
  TypeCatalog catalog;
  catalog.add_extension(file);
  catalog.add_extension(folder.path() / "link.so");
  catalog.add_variable_folder(folder.path());
  catalog.add_installed_folder(folder.path());
  CHECK(catalog.find("a::A") != nullptr);
  CHECK(catalog.extensions().size() == 1);
}

TEST_CASE("An installed extension that is then named becomes explicit") {
  const CacheFolder cache;
  const test::TemporaryFolder folder;
  const auto one = folder.write("1.so", extension_with("one", {type_named("a::A")}));
  folder.write("2.so", extension_with("two", {type_named("a::A")}));
  let_files_settle();
  { TypeCatalog().add_installed_folder(folder.path()); }
  TypeCatalog catalog;
  catalog.add_installed_folder(folder.path());
  catalog.add_extension(one);
  REQUIRE(catalog.find("a::A") != nullptr);
  CHECK(catalog.find("a::A")->extension == "one");
}

TEST_CASE("A broken file in a folder disables only itself") {
  const CacheFolder cache;
  const test::TemporaryFolder folder;
  folder.write("good.so", extension_with("good", {type_named("a::A")}));
  folder.write("bad.so", "text");
  folder.write("readme.txt", "not looked at");
  TypeCatalog catalog;
  catalog.add_installed_folder(folder.path());
  CHECK(catalog.find("a::A") != nullptr);
  REQUIRE(catalog.broken().size() == 1);
  CHECK_THAT(catalog.broken()[0], ContainsSubstring("bad.so' is a text file"));
  CHECK_THROWS_AS(catalog.add_extension(folder.path() / "bad.so"), Error);
  TypeCatalog without;
  without.add_installed_folder(folder.path() / "none");
  CHECK_THAT(without.broken().at(0), ContainsSubstring("does not exist"));
}

// --- index -------------------------------------------------------------------------------------

TEST_CASE("With an index, only the extension of the type asked for is read") {
  const CacheFolder cache;
  const test::TemporaryFolder folder;
  folder.write("1.so", extension_with("one", {type_named("a::A")}));
  const auto two = folder.write("2.so", extension_with("two", {type_named("b::B")}));
  let_files_settle();
  { TypeCatalog().add_installed_folder(folder.path()); }
  const auto index = ExtensionIndex(std::filesystem::canonical(folder.path())).cache_file();
  REQUIRE(std::filesystem::exists(index));

  TypeCatalog catalog;
  catalog.add_installed_folder(folder.path());
  CHECK(catalog.names() == std::vector<std::string_view>{"a::A", "b::B"});
  // Were it read from now on, it would be seen to be gone.
  std::filesystem::remove(two);
  CHECK(catalog.find("a::A")->extension == "one");
  CHECK(catalog.broken().empty());
  CHECK(catalog.find("b::B") == nullptr);
  CHECK_THAT(catalog.broken().at(0), ContainsSubstring("2.so"));
}

TEST_CASE("With an index, only the types asked for are read") {
  const CacheFolder cache;
  const test::TemporaryFolder folder;
  const std::string bytes =
      extension_with("one", {type_named("a::A", "a::B"), with_alias(type_named("a::B"), "b::B"),
                             type_named("a::C"), with_alias(type_named("a::D"), "b::D")});
  folder.write("1.so", bytes);
  let_files_settle();
  { TypeCatalog().add_installed_folder(folder.path()); }

  TypeCatalog catalog;
  catalog.add_installed_folder(folder.path());
  const TypeInfo* const a = catalog.find("a::A");
  REQUIRE(a != nullptr);
  CHECK(a->extension == "one");
  CHECK(catalog.is_a(*a, "b::B"));
  CHECK_FALSE(catalog.is_a(*a, "a::C"));
  CHECK(catalog.find("b::D") == catalog.find("a::D"));
  CHECK(catalog.find("b::D")->name == "a::D");
  // All are read when all are asked for, and those that were read stay where they are.
  CHECK(type_names(catalog) == std::vector<std::string>{"a::A", "a::B", "a::C", "a::D"});
  REQUIRE(catalog.extensions().size() == 1);
  CHECK(catalog.extensions()[0]->types.size() == 4);
  CHECK(catalog.extensions()[0]->types.data() == a);
  CHECK(catalog.extensions()[0]->types[2].name == "a::C");
}

TEST_CASE("Types that are not what the index says are not found, and harm no other") {
  const CacheFolder cache;
  const test::TemporaryFolder folder;
  const auto index = ExtensionIndex(std::filesystem::canonical(folder.path())).cache_file();
  const auto file = folder.write(
      "1.so", extension_with("one", {type_named("a::A"), type_named("a::B"), type_named("a::C")}));
  let_files_settle();
  const auto with_index_of = [&](const std::vector<TypeNames>& types) {
    { TypeCatalog().add_installed_folder(folder.path()); }
    std::ofstream(index) << sealed_index(std::filesystem::canonical(folder.path()),
                                         index_line({"1.so", *stamp_of(file), types}));
    TypeCatalog catalog;
    catalog.add_installed_folder(folder.path());
    return catalog;
  };
  const TypeCatalog swapped = with_index_of({{"a::A"}, {"a::C"}, {"a::B"}});
  CHECK(swapped.find("a::A") != nullptr);
  CHECK(swapped.find("a::B") == nullptr);
  CHECK(swapped.find("a::C") == nullptr);
  const TypeCatalog more = with_index_of({{"a::A"}, {"a::B"}, {"a::C"}, {"a::D"}});
  CHECK(more.find("a::A") != nullptr);
  CHECK(more.find("a::D") == nullptr);
  CHECK(type_names(more) == std::vector<std::string>{"a::A", "a::B", "a::C"});
}

TEST_CASE("With an index, what is wrong with a line costs its type, and is said once") {
  const CacheFolder cache;
  const test::TemporaryFolder folder;
  const auto index = ExtensionIndex(std::filesystem::canonical(folder.path())).cache_file();
  std::string types = types_to_json(
      {type_named("a::A"), type_named("a::B"), type_named("a::C"), type_named("a::D")});
  const auto file_with = [&](const std::string& section) {
    const ExtensionDescriptor descriptor = make_extension_descriptor("one", "1.0.0", "MIT", "");
    const auto file =
        folder.write("1.so", test::elf_with({{kDescriptorSection, test::bytes_of(descriptor)},
                                             {kTypesSection, section}}));
    let_files_settle();
    { TypeCatalog().add_installed_folder(folder.path()); }
    // The index that was written when the file had no flaw.
    std::ofstream(index) << sealed_index(
        std::filesystem::canonical(folder.path()),
        index_line({"1.so", *stamp_of(file), {{"a::A"}, {"a::B"}, {"a::C"}, {"a::D"}}}));
    TypeCatalog catalog;
    catalog.add_installed_folder(folder.path());
    return catalog;
  };
  types.replace(types.find("\"name\":\"a::B\""), 6, "\"eman\"");
  const TypeCatalog catalog = file_with(types);
  CHECK(catalog.broken().empty());
  CHECK(catalog.find("a::A") != nullptr);
  CHECK(catalog.find("a::B") == nullptr);
  REQUIRE(catalog.broken().size() == 1);
  CHECK_THAT(catalog.broken()[0], ContainsSubstring("1.so' has a list of types"));
  CHECK_THAT(catalog.broken()[0], ContainsSubstring("cannot be read: line 3: key 'name' not found; "
                                                    "3 of its 4 types were read"));
  CHECK(type_names(catalog) == std::vector<std::string>{"a::A", "a::C", "a::D"});
  CHECK(catalog.broken().size() == 1);
  REQUIRE(catalog.extensions().size() == 1);
  CHECK(catalog.extensions()[0]->readable_types() == 3);

  types.replace(types.find("a::D"), 4, "a\"::");
  const TypeCatalog two = file_with(types);
  CHECK(type_names(two) == std::vector<std::string>{"a::A", "a::C"});
  REQUIRE(two.broken().size() == 1);
  CHECK_THAT(two.broken()[0], ContainsSubstring("line 3: key 'name' not found (and 1 more); 2 of "
                                                "its 4 types were read"));

  types.replace(types.find("a::A"), 4, "a\"::");
  const TypeCatalog parsed = file_with(types);
  CHECK(type_names(parsed) == std::vector<std::string>{"a::C"});
  CHECK_THAT(parsed.broken().at(0), ContainsSubstring("line 2: parse error at column "));
}

TEST_CASE("With an index, a section without lines is read as a whole") {
  const CacheFolder cache;
  const test::TemporaryFolder folder;
  std::string types = types_to_json({type_named("a::A"), type_named("a::B")});
  std::erase(types, '\n');
  const ExtensionDescriptor descriptor = make_extension_descriptor("one", "1.0.0", "MIT", "");
  folder.write("1.so", test::elf_with({{kDescriptorSection, test::bytes_of(descriptor)},
                                       {kTypesSection, types}}));
  let_files_settle();
  { TypeCatalog().add_installed_folder(folder.path()); }
  TypeCatalog catalog;
  catalog.add_installed_folder(folder.path());
  REQUIRE(catalog.find("a::B") != nullptr);
  CHECK(catalog.find("a::B")->extension == "one");
  CHECK(type_names(catalog) == std::vector<std::string>{"a::A", "a::B"});
  CHECK(catalog.broken().empty());
}

TEST_CASE("A flaw in any type of a file keeps the file out of the index") {
  const CacheFolder cache;
  const test::TemporaryFolder folder;
  std::string types = types_to_json({type_named("a::A"), type_named("a::B")});
  types.replace(types.rfind("a::B"), 4, "a\\u0007B");
  const ExtensionDescriptor descriptor = make_extension_descriptor("one", "1.0.0", "MIT", "");
  folder.write("1.so", test::elf_with({{kDescriptorSection, test::bytes_of(descriptor)},
                                       {kTypesSection, types}}));
  let_files_settle();
  for (int round = 0; round < 2; ++round) {
    TypeCatalog catalog;
    catalog.add_installed_folder(folder.path());
    CHECK(catalog.find("a::A") == nullptr);
    REQUIRE(catalog.broken().size() == 1);
    CHECK_THAT(catalog.broken()[0], ContainsSubstring("line 3: the name "));
    CHECK_THAT(catalog.broken()[0], ContainsSubstring("has characters that no name has"));
    CHECK_THAT(catalog.broken()[0], ContainsSubstring("none of its 2 types was read"));
  }
}

TEST_CASE("A changed file is read again, whatever the index says") {
  const CacheFolder cache;
  const test::TemporaryFolder folder;
  const auto file = folder.write("1.so", extension_with("one", {type_named("a::A")}));
  const auto time = std::filesystem::last_write_time(file);
  let_files_settle();
  { TypeCatalog().add_installed_folder(folder.path()); }
  // Same size, same modification time: only the inode's own time tells.
  folder.write("1.so", extension_with("one", {type_named("a::B")}));
  std::filesystem::last_write_time(file, time);
  TypeCatalog catalog;
  catalog.add_installed_folder(folder.path());
  CHECK(catalog.find("a::A") == nullptr);
  CHECK(catalog.find("a::B") != nullptr);
}

TEST_CASE("A file that was broken is not shut out once it is mended") {
  const CacheFolder cache;
  const test::TemporaryFolder folder;
  folder.write("1.so", "text");
  folder.write("2.so", extension_with("two", {type_named("b::B")}));
  let_files_settle();
  { TypeCatalog().add_installed_folder(folder.path()); }
  folder.write("1.so", extension_with("one", {type_named("a::A")}));
  TypeCatalog catalog;
  catalog.add_installed_folder(folder.path());
  CHECK(catalog.find("a::A") != nullptr);
  CHECK(catalog.broken().empty());
}

TEST_CASE("A damaged index is ignored and replaced") {
  const CacheFolder cache;
  const test::TemporaryFolder folder;
  folder.write("1.so", extension_with("one", {type_named("a::A")}));
  let_files_settle();
  { TypeCatalog().add_installed_folder(folder.path()); }
  const auto index = ExtensionIndex(std::filesystem::canonical(folder.path())).cache_file();
  const std::string good = test::read_bytes(index);
  REQUIRE(good.find("a::A") != std::string::npos);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = bad[i] == 'Z' ? 'Y' : 'Z';
    std::ofstream(index, std::ios::binary) << (i % 2 == 0 ? bad : good.substr(0, i));
    TypeCatalog catalog;
    catalog.add_installed_folder(folder.path());
    REQUIRE(catalog.names() == std::vector<std::string_view>{"a::A"});
    REQUIRE(catalog.find("a::A") != nullptr);
  }
  CHECK(test::read_bytes(index) == good);
}

TEST_CASE("Without a place for the index everything still works") {
  const CacheFolder cache;
  ::setenv("XDG_CACHE_HOME", "/proc/no/such/place", 1);
  const test::TemporaryFolder folder;
  folder.write("1.so", extension_with("one", {type_named("a::A")}));
  let_files_settle();
  for (int round = 0; round < 2; ++round) {
    TypeCatalog catalog;
    catalog.add_installed_folder(folder.path());
    CHECK(catalog.find("a::A") != nullptr);
  }
}

TEST_CASE("A file of just now is not put into the index, because it may change unseen") {
  const CacheFolder cache;
  const test::TemporaryFolder folder;
  folder.write("1.so", extension_with("one", {type_named("a::A")}));
  { TypeCatalog().add_installed_folder(folder.path()); }
  const auto index = ExtensionIndex(std::filesystem::canonical(folder.path())).cache_file();
  CHECK(test::read_bytes(index).find("a::A") == std::string::npos);
}

}  // namespace
}  // namespace gxr
