#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "catch.hpp"
#include "parsed.hpp"

namespace {

namespace fs = std::filesystem;

/// A folder of its own that goes with the test.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("gxr-document-" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

struct Read {
  gxr::Document document;
  gxr::Diagnostics diagnostics;
  [[nodiscard]] std::string messages() const {
    return render_text(diagnostics, document.sources(), false);
  }
};

}  // namespace

TEST_CASE("a file is read with its name", "[document][file]") {
  const Folder folder;
  Read read;
  const std::string path = folder.write("app.yaml", "name: a\n---\nname: b\n");
  read.document.add_file(path, read.diagnostics);
  read.document.add_file(folder.write("more.yaml", "name: c"), read.diagnostics);
  REQUIRE(read.document.parts().size() == 3);
  CHECK(read.document.sources().describe(read.document.parts()[1].root->location()) ==
        path + ":3:1");
  CHECK(read.document.parts()[2].source == 2);
  CHECK(read.diagnostics.all().empty());
}

TEST_CASE("a missing file is an error with a suggestion", "[document][file]") {
  const Folder folder;
  const std::string right = folder.write("camera.yaml", "name: a\n");
  Read read;
  read.document.add_file(folder.path("camrea.yaml"), read.diagnostics);
  read.document.add_file(folder.path("none/x"), read.diagnostics);
  CHECK(read.messages() == "error[file-not-found]: app file '" + folder.path("camrea.yaml") +
                               "' does not exist\n --> " + folder.path("camrea.yaml") +
                               "\n  = help: did you mean '" + right + "'?\n\n" +
                               "error[file-not-found]: app file '" + folder.path("none/x") +
                               "' does not exist\n --> " + folder.path("none/x") + "\n");
}

TEST_CASE("a folder cannot be read", "[document][file]") {
  const Folder folder;
  Read read;
  read.document.add_parameter_file(folder.path(""), read.diagnostics);
  CHECK(read.messages() == "error[file-unreadable]: cannot read parameter file '" +
                               folder.path("") + "': Is a directory\n --> " + folder.path("") +
                               "\n  = help: name a file in that folder\n");
}

TEST_CASE("an unreadable file says why", "[document][file]") {
  if (::geteuid() == 0) {
    SUCCEED("root may read every file");
    return;
  }
  const Folder folder;
  const std::string path = folder.write("secret.yaml", "a: 1\n");
  fs::permissions(path, fs::perms::none);
  Read read;
  read.document.add_file(path, read.diagnostics);
  CHECK(read.messages() == "error[file-unreadable]: cannot read app file '" + path +
                               "': Permission denied\n --> " + path + "\n");
}

TEST_CASE("a parameter file maps addresses to values", "[document][file]") {
  const Folder folder;
  const std::string path = folder.write("p.yaml",
                                        "source/count: 10\n"
                                        "tx/nvidia::gxf::PingTx/clock: [a, b]\n"
                                        "'/x': ~\n");
  Read read;
  read.document.add_parameter_file(path, read.diagnostics);
  CHECK(read.messages().empty());
  REQUIRE(read.document.overrides().size() == 3);
  const gxr::Override& second = read.document.overrides()[1];
  CHECK(second.entity == "tx");
  CHECK(second.component == "nvidia::gxf::PingTx");
  CHECK(second.parameter == "clock");
  CHECK(second.value->to_yaml() == "[a, b]");
  CHECK(second.length == 28);
  CHECK(read.document.sources().describe(second.where) == path + ":2:1");
  CHECK(read.document.sources().describe(second.value->location()) == path + ":2:31");
  CHECK(read.document.parts().empty());
}

TEST_CASE("a parameter file may have GXF's form", "[document][file]") {
  const Folder folder;
  Read read;
  read.document.add_parameter_file(
      folder.write("p.yaml",
                   "name: tx\ncomponents:\n- name: signal\n  parameters: {capacity: 2}\n"
                   "---\ntx/count: 3\n"),
      read.diagnostics);
  CHECK(read.messages().empty());
  REQUIRE(read.document.parts().size() == 1);
  CHECK(read.document.parts()[0].root->find("name")->text() == "tx");
  CHECK(read.document.overrides().size() == 1);
}

TEST_CASE("keys of a parameter file are addresses", "[document][file]") {
  const Folder folder;
  Read read;
  const std::string path = folder.write(
      "p.yaml", "a/b: 1\ncount: 3\n? [x]\n: 1\na/b/c/d: 1\n--- [a/b]\n--- {cout: 1}\n");
  read.document.add_parameter_file(path, read.diagnostics);
  CHECK(read.document.overrides().size() == 1);
  std::string said;
  for (const gxr::Diagnostic& d : read.diagnostics.all()) {
    said +=
        std::string(gxr::info(d.code).name) + " " + gxr::test::place(d.where) + " " + d.text + "\n";
  }
  CHECK(said ==
        "parameter-file 2:1 'count' has no '/' between entity and parameter\n"
        "parameter-file 3:3 a key has to be text, and this one is a list\n"
        "parameter-file 5:1 'a/b/c/d' has more than three parts between '/'\n"
        "document-not-map 6:5 this YAML document is a list, not a map\n"
        "parameter-file 7:6 'cout' has no '/' between entity and parameter\n");
}
