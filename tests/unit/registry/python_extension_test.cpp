#include "registry/python_extension.hpp"

#include <fstream>

#include "catch.hpp"
#include "gxr/codelet.hpp"
#include "python_files.hpp"
#include "registry/extension_loader.hpp"
#include "registry/extension_search.hpp"
#include "registry/python_error.hpp"
#include "registry/python_failures.hpp"
#include "registry/python_host.hpp"

namespace gxr {
namespace {

using Catch::Matchers::ContainsSubstring;
using test::python_answer;
using test::PythonFolder;
using test::type_named;
namespace fs = std::filesystem;

struct PythonSearch {
  TypeCatalog find(const ExtensionSearch& places) {
    return find_extensions(places, document, diagnostics);
  }
  [[nodiscard]] const Diagnostic& first() const { return diagnostics.all().at(0); }

  Document document;
  Diagnostics diagnostics;
};

PythonError error_of(const fs::path& file) {
  try {
    static_cast<void>(read_python_extension(file));
  } catch (const PythonError& error) {
    return error;
  }
  FAIL("the file was read");
  throw;
}

/// A file with a type, which the stand-in declares.
fs::path declare(const PythonFolder& python) {
  const fs::path file = python.write("ops.py", "import gxr\n");
  python.answer(python_answer("ops", {type_named("ops::Blur")}, {file}));
  return file;
}

TEST_CASE("A Python file is an extension") {
  const PythonFolder python;
  const fs::path file = declare(python);
  PythonSearch search;
  const TypeCatalog catalog = search.find({{file.string()}, {}, {}});
  CHECK(search.diagnostics.all().empty());
  REQUIRE(catalog.find("ops::Blur") != nullptr);
  CHECK(catalog.find("ops::Blur")->extension == "ops");
  CHECK(catalog.has_python());
  const ExtensionFile* const extension = catalog.file_of(*catalog.find("ops::Blur"));
  REQUIRE(extension != nullptr);
  CHECK(extension->is_python);
  CHECK(extension->path == file);
  CHECK(std::string(extension->descriptor.version) == "1.2.3");
}

TEST_CASE("The interpreter gets the package's module and the file") {
  const PythonFolder python;
  const fs::path file = python.write("a b/ops.py", "");
  python.write("answer", python_answer("ops", {type_named("ops::Blur")}, {file}));
  python.interpret("echo \"$# $1 $2 $3\" > '" + python.path("words").string() + "'; cat '" +
                   python.path("answer").string() + "'");
  CHECK(read_python_extension(file).types.size() == 1);
  CHECK(test::read_bytes(python.path("words")) == "3 -m gxr.declare " + file.string() + "\n");
}

TEST_CASE("A declaration is cached until one of its files changes") {
  const PythonFolder python;
  const fs::path helper = python.write("helper.py", "x = 1\n");
  const fs::path file = python.write("ops.py", "import helper\n");
  python.answer(python_answer("ops", {type_named("ops::Blur")}, {file, helper}));
  test::let_files_settle();
  static_cast<void>(read_python_extension(file));
  CHECK(read_python_extension(file).types.at(0).name == "ops::Blur");
  CHECK(python.times_asked() == 1);
  SECTION("the file") { std::ofstream(file, std::ios::app) << "y = 2\n"; }
  SECTION("a file that it imports") { std::ofstream(helper, std::ios::app) << "y = 2\n"; }
  SECTION("the interpreter") {
    std::ofstream(python.path("python"), std::ios::app) << "# changed\n";
  }
  SECTION("the cache is damaged") {
    for (const auto& entry : fs::directory_iterator(python.path("cache/gxr"))) {
      std::ofstream(entry.path(), std::ios::app) << "x";
    }
  }
  test::let_files_settle();
  CHECK(read_python_extension(file).types.size() == 1);
  CHECK(read_python_extension(file).types.size() == 1);
  CHECK(python.times_asked() == 2);
}

TEST_CASE("Other places of modules have other declarations") {
  const PythonFolder python;
  const fs::path file = declare(python);
  test::let_files_settle();
  static_cast<void>(read_python_extension(file));
  const test::Environment path("PYTHONPATH", "/elsewhere");
  static_cast<void>(read_python_extension(file));
  CHECK(python.times_asked() == 2);
}

TEST_CASE("What changed just now is not cached") {
  const PythonFolder python;
  const fs::path file = declare(python);
  test::let_files_settle();
  std::ofstream(file, std::ios::app) << "y = 2\n";
  static_cast<void>(read_python_extension(file));
  static_cast<void>(read_python_extension(file));
  CHECK(python.times_asked() == 2);
}

TEST_CASE("Mistakes of a Python file are at their lines, and are not cached") {
  const PythonFolder python;
  const fs::path file = python.write("ops.py", "import gxr\n\n  size = 1  \n");
  python.answer(R"({"errors": [{"file": ")" + file.string() +
                    R"(", "line": 3, "text": "unexpected \u001b[31m indent", "hint": "mend it"},)" +
                    R"({"text": "and more"}]})",
                1);
  test::let_files_settle();
  PythonSearch search;
  static_cast<void>(search.find({{file.string()}, {}, {}}));
  REQUIRE(search.diagnostics.all().size() == 2);
  const Diagnostic& found = search.first();
  CHECK(found.code == DiagnosticCode::PythonModule);
  CHECK(found.text == "unexpected \\x1b[31m indent");
  CHECK(found.hint == "mend it");
  CHECK(search.document.sources().describe(found.where) == file.string() + ":3:3");
  CHECK(found.length == 8);
  REQUIRE(found.related.size() == 1);
  CHECK(search.document.sources().describe(found.related[0].where) == "--extension:1:1");
  CHECK(search.document.sources().describe(search.diagnostics.all()[1].where) == "--extension:1:1");
  CHECK(error_of(file).problems.size() == 2);
  CHECK(python.times_asked() == 2);
}

std::size_t mistakes_in(const fs::path& file, PythonFailures& failures) {
  PythonSearch search;
  ExtensionSearch places{{file.string()}, {}, {}};
  places.failures = &failures;
  static_cast<void>(search.find(places));
  return search.diagnostics.all().size();
}

TEST_CASE("A mistake is remembered for who looks again, until one of its files changes") {
  const PythonFolder python;
  const fs::path helper = python.write("elsewhere/helper.py", "1 +\n");
  const fs::path file = python.write("ops.py", "import helper\n");
  python.answer(
      R"({"errors": [{"text": "invalid syntax"}], "files": [")" + helper.string() + "\"]}", 1);
  test::let_files_settle();
  PythonFailures failures;
  for (int i = 0; i < 3; ++i) {
    CHECK(mistakes_in(file, failures) == 1);
  }
  CHECK(python.times_asked() == 1);
  SECTION("the file") { std::ofstream(file, std::ios::app) << "y = 2\n"; }
  SECTION("a file that it imports") { std::ofstream(helper, std::ios::app) << "2\n"; }
  SECTION("the file goes") { fs::rename(helper, python.path("other.py")); }
  SECTION("all is forgotten") { failures.forget(); }
  test::let_files_settle();
  CHECK(mistakes_in(file, failures) == 1);
  CHECK(mistakes_in(file, failures) == 1);
  CHECK(python.times_asked() == 2);
}

TEST_CASE("A mistake in declarations is remembered, too") {
  const PythonFolder python;
  const fs::path file = python.write("ops.py", "");
  python.answer(python_answer("ops", {type_named("not a name")}, {file}));
  test::let_files_settle();
  PythonFailures failures;
  CHECK(mistakes_in(file, failures) == 1);
  CHECK(mistakes_in(file, failures) == 1);
  CHECK(python.times_asked() == 1);
}

TEST_CASE("What depends on more than files is not remembered") {
  const PythonFolder python;
  const fs::path file = python.write("ops.py", "");
  const test::Environment limit("GXR_PYTHON_TIMEOUT", "0.3");
  SECTION("Python ends without an answer") { python.interpret("exit 7"); }
  SECTION("a signal ends it") { python.interpret("kill -9 $$"); }
  SECTION("it takes too long") { python.interpret("sleep 100"); }
  SECTION("the answer has no files") {
    python.answer(R"({"errors": [{"text": "FileNotFoundError: 'data.npy'"}]})", 1);
  }
  test::let_files_settle();
  PythonFailures failures;
  CHECK(mistakes_in(file, failures) == 1);
  CHECK(mistakes_in(file, failures) == 1);
  CHECK(python.times_asked() == 2);
}

TEST_CASE("A mistake of a file that changed just now is not remembered") {
  const PythonFolder python;
  const fs::path file = python.write("ops.py", "");
  python.answer(R"({"errors": [{"text": "invalid syntax"}], "files": [")" + file.string() + "\"]}",
                1);
  test::let_files_settle();
  std::ofstream(file, std::ios::app) << "y = 2\n";
  PythonFailures failures;
  CHECK(mistakes_in(file, failures) == 1);
  CHECK(mistakes_in(file, failures) == 1);
  CHECK(python.times_asked() == 2);
}

TEST_CASE("That the package gxr is missing is not remembered") {
  const PythonFolder python;
  const fs::path file = python.write("ops.py", "");
  python.interpret("echo \"ModuleNotFoundError: No module named 'gxr'\" >&2; exit 1");
  test::let_files_settle();
  PythonFailures failures;
  CHECK(mistakes_in(file, failures) == 1);
  CHECK(mistakes_in(file, failures) == 1);
  CHECK(python.times_asked() == 2);
}

TEST_CASE("A failure shows the end of what Python wrote") {
  const PythonFolder python;
  const fs::path file = python.write("ops.py", "");
  python.interpret("seq 1 30 >&2; printf 'last \\033[31m\\n' >&2; exit 7");
  const PythonError error = error_of(file);
  CHECK(error.diagnostic == DiagnosticCode::PythonModule);
  CHECK_THAT(error.message(), ContainsSubstring("exit code 7 and declared nothing"));
  CHECK(error.output.starts_with("12\n13\n"));
  CHECK(error.output.ends_with("30\nlast \\x1b[31m"));
  PythonSearch search;
  static_cast<void>(search.find({{file.string()}, {}, {}}));
  CHECK_THAT(search.first().related.at(0).text, ContainsSubstring("Python wrote:\n12\n"));
}

TEST_CASE("An interpreter without the package is named") {
  const PythonFolder python;
  const fs::path file = python.write("ops.py", "");
  const auto line =
      GENERATE(as<std::string>(), "/usr/bin/python3: No module named gxr.declare",
               "/usr/bin/python3: Error while finding module specification for 'gxr.declare' "
               "(ModuleNotFoundError: No module named 'gxr')");
  python.interpret("echo \"" + line + "\" >&2; exit 1");
  const PythonError error = error_of(file);
  CHECK(error.diagnostic == DiagnosticCode::PythonPackage);
  CHECK_THAT(error.message(),
             ContainsSubstring("'" + python.path("python").string() + "' has no package gxr"));
  CHECK_THAT(error.hint, ContainsSubstring(python.path("python").string() + " -m pip install gxr"));
  CHECK(error.output.empty());
}

TEST_CASE("A module that lacks another module is no missing package") {
  const PythonFolder python;
  const fs::path file = python.write("ops.py", "");
  python.interpret("echo \"ModuleNotFoundError: No module named 'numpy'\" >&2; exit 1");
  CHECK(error_of(file).diagnostic == DiagnosticCode::PythonModule);
}

TEST_CASE("A package of another gxr is refused") {
  const PythonFolder python;
  const fs::path file = python.write("ops.py", "");
  const bool other_version = GENERATE(true, false);
  python.answer(other_version
                    ? python_answer("ops", {type_named("ops::Blur")}, {file}, "0.1.7")
                    : python_answer("ops", {type_named("ops::Blur")}, {file}, "", "fedc"));
  const PythonError error = error_of(file);
  CHECK(error.diagnostic == DiagnosticCode::PythonPackage);
  CHECK(error.code() == ErrorCode::Incompatible);
  CHECK_THAT(error.message(), ContainsSubstring(other_version ? "gxr 0.1.7" : "fingerprint fedc"));
  CHECK_THAT(error.hint, ContainsSubstring("-m pip install --force-reinstall gxr=="));
}

TEST_CASE("Python has a time limit, and goes with what it started") {
  const PythonFolder python;
  const fs::path file = python.write("ops.py", "");
  const test::Environment limit("GXR_PYTHON_TIMEOUT", "0.3");
  python.interpret("sleep 100");
  const auto begin = std::chrono::steady_clock::now();
  const PythonError error = error_of(file);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
  CHECK_THAT(error.message(), ContainsSubstring("was not read within 0.3 s"));
  CHECK_THAT(error.hint, ContainsSubstring("GXR_PYTHON_TIMEOUT"));
}

TEST_CASE("A time limit is a number of seconds") {
  const PythonFolder python;
  const fs::path file = declare(python);
  const auto value = GENERATE(as<std::string>(), "0", "-1", "x", "3s", "nan", "1e300");
  const test::Environment limit("GXR_PYTHON_TIMEOUT", value);
  CHECK_THAT(error_of(file).message(), ContainsSubstring("GXR_PYTHON_TIMEOUT must be"));
}

TEST_CASE("Python may say no more than there is room for") {
  const PythonFolder python;
  const fs::path file = python.write("ops.py", "");
  python.interpret("yes");
  CHECK_THAT(error_of(file).message(), ContainsSubstring("declares more than 16 MiB"));
}

TEST_CASE("An answer that cannot be read is an error that names interpreter and file") {
  const PythonFolder python;
  const fs::path file = python.write("ops.py", "");
  const std::string own = python_answer("ops", {}, {file});
  const auto text = GENERATE_COPY(values<std::string>(
      {"no JSON", "[]", "{\"types\"", std::string(100'000, '['),
       own.substr(0, own.find("\"types\"")) + "\"types\": 5}",
       own.substr(0, own.find("\"types\"")) + "\"types\": {\"format\": 1, \"types\": [{}]}}",
       R"({"errors": [7]})"}));
  python.answer(text);
  const PythonError error = error_of(file);
  CHECK(error.diagnostic == DiagnosticCode::PythonModule);
  CHECK_THAT(error.message(), ContainsSubstring("ops.py'") && ContainsSubstring("cannot be read") &&
                                  ContainsSubstring(python.path("python").string()));
}

TEST_CASE("Declarations are checked like those of libraries") {
  const PythonFolder python;
  const fs::path file = python.write("ops.py", "");
  python.answer(python_answer("ops", {type_named("ops::Blur"), type_named("ops::Blur")}, {file}));
  CHECK(error_of(file).problems.size() == 1);
}

TEST_CASE("Without leave, no Python runs") {
  const PythonFolder python;
  const fs::path file = declare(python);
  const test::Environment named("GXR_EXTENSION_PATH", file.string());
  PythonSearch search;
  ExtensionSearch places{{file.string()}, {}, {}};
  places.runs_python = false;
  CHECK(search.find(places).find("ops::Blur") == nullptr);
  CHECK(search.diagnostics.all().empty());
  CHECK(python.times_asked() == 0);
}

TEST_CASE("Python files in folders of extensions are not looked at") {
  const PythonFolder python;
  declare(python);
  const test::Environment named("GXR_EXTENSION_PATH", python.path("").string());
  PythonSearch search;
  CHECK(search.find({{}, {}, {}}).find("ops::Blur") == nullptr);
  CHECK(python.times_asked() == 0);
}

TEST_CASE("A Python file is found as an argument, in an application and in a manifest") {
  const PythonFolder python;
  const fs::path file = declare(python);
  const fs::path manifest = python.write("manifest.yaml", "extensions:\n- ops.py\n");
  PythonSearch search;
  CHECK(search.find({{}, {manifest.string()}, {}}).find("ops::Blur") != nullptr);
  const fs::path application = python.write("app.yaml", "extensions:\n- ops.py\n");
  PythonSearch of_application;
  of_application.document.add_file(application.string(), of_application.diagnostics);
  CHECK(of_application.find({{}, {}, {}}).find("ops::Blur") != nullptr);
  PythonSearch missing;
  static_cast<void>(missing.find({{"none/ops.py"}, {}, {}}));
  CHECK(missing.first().code == DiagnosticCode::ExtensionNotFound);
  CHECK(missing.first().hint == "looked for none/ops.py");
}

TEST_CASE("Two files with a type of one name are in conflict") {
  const PythonFolder python;
  const fs::path first = python.write("a/ops.py", "");
  const fs::path second = python.write("b/ops.py", "");
  python.answer(python_answer("ops", {type_named("ops::Blur")}, {}));
  PythonSearch search;
  const TypeCatalog catalog = search.find({{first.string(), second.string()}, {}, {}});
  TypeCatalog::Conflict conflict;
  CHECK(catalog.find("ops::Blur", &conflict) == nullptr);
  CHECK(conflict.first == first);
  CHECK(conflict.second == second);
}

class Blur final : public Codelet {
 public:
  void tick() override {}
};

TEST_CASE("Components of Python need a host") {
  const PythonFolder python;
  const fs::path file = declare(python);
  PythonSearch search;
  const TypeCatalog catalog = search.find({{file.string()}, {}, {}});
  const TypeInfo& type = *catalog.find("ops::Blur");
  CHECK_THROWS_MATCHES(ExtensionLoader(catalog).creator(type), Error,
                       Catch::Matchers::Predicate<Error>([](const Error& error) {
                         return error.code() == ErrorCode::NotSupported &&
                                error.message().find("gxr run") != std::string::npos;
                       }));
  CHECK(test::in_child([&] {
    set_python_host({"", [&](const fs::path& asked, const std::vector<TypeInfo>& types) {
                       if (asked != file || types.size() != 1) {
                         throw Error("another file");
                       }
                       return std::vector<ComponentFactory>{
                           [] { return std::make_unique<Blur>(); }};
                     }});
    ExtensionLoader loader(catalog);
    return dynamic_cast<Blur*>(loader.creator(type)().get()) != nullptr;
  }));
  CHECK(test::in_child([&] {  // as many factories as types
    set_python_host({"", [](const fs::path&, const std::vector<TypeInfo>&) {
                       return std::vector<ComponentFactory>{};
                     }});
    try {
      static_cast<void>(ExtensionLoader(catalog).creator(type));
    } catch (const Error& error) {
      return error.code() == ErrorCode::Incompatible;
    }
    return false;
  }));
}

}  // namespace
}  // namespace gxr
