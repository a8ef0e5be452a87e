#include "registry/extension_search.hpp"

#include "catch.hpp"
#include "extension_bytes.hpp"
#include "registry/extension_path.hpp"
#include "temporary_folder.hpp"

namespace gxr {
namespace {

using Catch::Matchers::ContainsSubstring;
using test::extension_with;
using test::type_named;
namespace fs = std::filesystem;

/// Sets an environment variable until the end of the scope.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

struct Search {
  explicit Search(bool compat_gxf = false) : diagnostics(compat_gxf) {}

  TypeCatalog find(const ExtensionSearch& places) {
    return find_extensions(places, document, diagnostics);
  }
  [[nodiscard]] std::string first_place() const {
    return document.sources().describe(diagnostics.all().at(0).where);
  }

  Document document;
  Diagnostics diagnostics;
};

std::string extension(const std::string& type) {
  return extension_with("of " + type, {type_named(type)});
}

TEST_CASE("Path lists skip empty items") {
  CHECK(split_path_list("a::b:") == std::vector<std::string>{"a", "b"});
  CHECK(split_path_list("").empty());
}

TEST_CASE("An argument names a file with or without its suffix") {
  const test::TemporaryFolder folder;
  folder.write("mine.so", extension("a::A"));
  Search search;
  CHECK(search.find({{(folder.path() / "mine").string()}, {}, {}}).find("a::A") != nullptr);
  CHECK(search.diagnostics.all().empty());
}

TEST_CASE("A bare name is searched in GXR_EXTENSION_PATH") {
  const test::TemporaryFolder folder;
  folder.write("far/unlikely_name.so", extension("a::A"));
  const Variable path("GXR_EXTENSION_PATH",
                      folder.path().string() + ":" + (folder.path() / "far").string());
  Search search;
  CHECK(search.find({{"unlikely_name"}, {}, {}}).find("a::A") != nullptr);
  CHECK(search.diagnostics.all().empty());
}

TEST_CASE("An argument that is not there says where it was looked for") {
  Search search;
  static_cast<void>(search.find({{"no/such.so"}, {}, {}}));
  REQUIRE(search.diagnostics.all().size() == 1);
  CHECK(search.diagnostics.all()[0].code == DiagnosticCode::ExtensionNotFound);
  CHECK_THAT(search.diagnostics.all()[0].hint, ContainsSubstring("looked for no/such.so"));
}

TEST_CASE("Each kind of fault has its own code") {
  const test::TemporaryFolder folder;
  const auto text = folder.write("text.so", "text");
  std::string foreign = extension("a::A");
  foreign[offsetof(Elf64_Ehdr, e_machine)] = static_cast<char>(EM_RISCV);
  const auto other = folder.write("other.so", foreign);
  Search search;
  static_cast<void>(search.find({{text.string(), other.string(), folder.path().string()}, {}, {}}));
  REQUIRE(search.diagnostics.all().size() == 3);
  CHECK(search.diagnostics.all()[0].code == DiagnosticCode::ExtensionInvalid);
  CHECK(search.diagnostics.all()[1].code == DiagnosticCode::ExtensionIncompatible);
  CHECK(search.diagnostics.all()[2].code == DiagnosticCode::ExtensionInvalid);
}

TEST_CASE("Manifest entries are relative to the manifest, or found by name") {
  const test::TemporaryFolder folder;
  folder.write("lib/near.so", extension("a::Near"));
  folder.write("far/far.so", extension("a::Far"));
  folder.write("other/other.so", extension("a::Other"));
  const auto manifest =
      folder.write("m/manifest.yaml",
                   "%YAML 1.2\n---\nextensions:\n- ../lib/near.so\n- gone/far.so\n- other.so\n");
  const Variable libraries("LD_LIBRARY_PATH", (folder.path() / "far").string());
  const Variable extensions("GXR_EXTENSION_PATH", (folder.path() / "other").string());
  Search search;
  const TypeCatalog catalog = search.find({{}, {manifest.string()}, {}});
  CHECK(search.diagnostics.all().empty());
  CHECK(catalog.find("a::Near") != nullptr);
  CHECK(catalog.find("a::Far") != nullptr);
  CHECK(catalog.find("a::Other") != nullptr);
}

TEST_CASE("A missing manifest entry is reported at its line") {
  const test::TemporaryFolder folder;
  const auto manifest = folder.write("manifest.yaml", "extensions:\n- gone.so\n- [1]\n");
  Search search;
  static_cast<void>(search.find({{}, {manifest.string()}, {}}));
  search.diagnostics.sort();
  REQUIRE(search.diagnostics.all().size() == 2);
  CHECK(search.first_place() == manifest.string() + ":2:3");
  CHECK(search.diagnostics.all()[0].length == 7);
  CHECK(search.diagnostics.all()[1].code == DiagnosticCode::ManifestInvalid);
  CHECK(search.document.sources().describe(search.diagnostics.all()[1].where) ==
        manifest.string() + ":3:3");
}

TEST_CASE("Manifests without a list") {
  const test::TemporaryFolder folder;
  const auto problems = [&](const std::string& text) {
    Search search;
    static_cast<void>(search.find({{}, {folder.write("m.yaml", text).string()}, {}}));
    std::string all;
    for (const Diagnostic& diagnostic : search.diagnostics.all()) {
      if (diagnostic.severity == Severity::Error) {
        all += diagnostic.text + "; " + diagnostic.hint + "\n";
      }
    }
    return all;
  };
  CHECK(problems("").empty());
  CHECK(problems("extensions:\n").empty());
  CHECK(problems("extensions: []\n").empty());
  CHECK_THAT(problems("extensions: a.so\n"), ContainsSubstring("must be a list"));
  CHECK_THAT(problems("extension: [a.so]\n"), ContainsSubstring("did you mean 'extensions'"));
  CHECK_THAT(problems("name: a\ncomponents: []\n"), ContainsSubstring("this is an application"));
}

TEST_CASE("A missing manifest is a missing file") {
  Search search;
  static_cast<void>(search.find({{}, {"no/such/manifest.yaml"}, {}}));
  REQUIRE(search.diagnostics.all().size() == 1);
  CHECK(search.diagnostics.all()[0].code == DiagnosticCode::FileNotFound);
}

TEST_CASE("GXF's own libraries are refused, and skipped with --compat gxf") {
  const test::TemporaryFolder folder;
  const auto manifest =
      folder.write("m.yaml", "extensions:\n- gxf/std/libgxf_std.so\n- gxf/cuda/libgxf_cuda.so\n");
  Search strict;
  static_cast<void>(strict.find({{}, {manifest.string()}, {}}));
  REQUIRE(strict.diagnostics.all().size() == 2);
  CHECK_THAT(strict.diagnostics.all()[0].text, ContainsSubstring("name of a library of GXF"));
  Search compatible(true);
  static_cast<void>(compatible.find({{}, {manifest.string()}, {}}));
  CHECK(compatible.diagnostics.all().empty());
}

TEST_CASE("An extension with the name of a library of GXF is none of GXF's") {
  const test::TemporaryFolder folder;
  folder.write("libgxf_mine.so", extension("a::A"));
  const auto manifest = folder.write("m.yaml", "extensions: [libgxf_mine.so]\n");
  Search search;
  const TypeCatalog catalog = search.find({{}, {manifest.string()}, {}});
  CHECK(search.diagnostics.all().empty());
  CHECK(catalog.find("a::A") != nullptr);
}

TEST_CASE("An app file's list is relative to the app file") {
  const test::TemporaryFolder folder;
  folder.write("app/lib/mine.so", extension("a::A"));
  const auto app =
      folder.write("app/app.yaml", "extensions: [lib/mine.so, lib/gone.so]\n---\nname: a\n");
  Search search;
  search.document.add_file(app.string(), search.diagnostics);
  const TypeCatalog catalog = search.find({});
  CHECK(catalog.find("a::A") != nullptr);
  REQUIRE(search.diagnostics.all().size() == 1);
  CHECK(search.first_place() == app.string() + ":1:27");
}

TEST_CASE("GXR_EXTENSION_PATH holds folders and files") {
  const test::TemporaryFolder folder;
  folder.write("all/a.so", extension("a::A"));
  folder.write("all/broken.so", "text");
  const auto b = folder.write("b.so", extension("b::B"));
  const Variable path("GXR_EXTENSION_PATH",
                      (folder.path() / "all").string() + ":" + b.string() + ":/no/such");
  Search search;
  const TypeCatalog catalog = search.find({});
  CHECK(catalog.find("a::A") != nullptr);
  CHECK(catalog.find("b::B") != nullptr);
  CHECK(catalog.broken().size() == 1);
  REQUIRE(search.diagnostics.all().size() == 1);
  CHECK_THAT(search.diagnostics.all()[0].text,
             ContainsSubstring("'/no/such' in GXR_EXTENSION_PATH"));
  CHECK(search.diagnostics.all()[0].where.column ==
        folder.path().string().size() + 6 + b.string().size() + 1);
}

TEST_CASE("The build's own extensions are found") {
  CHECK(fs::equivalent(installed_extension_folder(), GXR_BINARY_DIR "/extensions"));
}

}  // namespace
}  // namespace gxr
