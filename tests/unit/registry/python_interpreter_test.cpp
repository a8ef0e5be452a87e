#include "registry/python_interpreter.hpp"

#include "catch.hpp"
#include "gxr/error.hpp"
#include "python_files.hpp"
#include "registry/python_host.hpp"

namespace gxr {
namespace {

using Catch::Matchers::ContainsSubstring;
using test::Environment;
namespace fs = std::filesystem;

fs::path program(const test::TemporaryFolder& folder, const std::string& name) {
  test::write_script(folder, name, "");
  return fs::canonical(folder.path()) / name;
}

std::string text_of_failure() {
  try {
    return "found " + find_python().string();
  } catch (const Error& error) {
    return error.message();
  }
}

TEST_CASE("GXR_PYTHON goes before the virtual environment, and that before PATH") {
  const test::TemporaryFolder folder;
  const fs::path on_path = program(folder, "tools/python3");
  const fs::path of_environment = program(folder, "env/bin/python");
  const fs::path named = program(folder, "named");
  const Environment path(
      "PATH", (folder.path() / "none").string() + ":" + (folder.path() / "tools").string());
  const Environment no_name("GXR_PYTHON", nullptr);
  const Environment no_environment("VIRTUAL_ENV", nullptr);
  CHECK(find_python() == on_path);
  const Environment environment("VIRTUAL_ENV", (folder.path() / "env").string());
  CHECK(find_python() == of_environment);
  const Environment name("GXR_PYTHON", named.string());
  CHECK(find_python() == named);
  const Environment word("GXR_PYTHON", "python3");
  CHECK(find_python() == on_path);
}

TEST_CASE("A virtual environment's interpreter stays the link that it is") {
  const test::TemporaryFolder folder;
  program(folder, "base/python3");
  fs::create_directories(folder.path() / "env/bin");
  fs::create_symlink("../../base/python3", folder.path() / "env/bin/python");
  const Environment name("GXR_PYTHON", (folder.path() / "env/bin/python").string());
  CHECK(find_python() == fs::canonical(folder.path()) / "env/bin/python");
}

TEST_CASE("The interpreter of the host goes before all") {
  const test::TemporaryFolder folder;
  const fs::path own = program(folder, "own");
  const Environment name("GXR_PYTHON", program(folder, "named").string());
  CHECK(test::in_child([&] {
    set_python_host({own.string(), nullptr});
    return find_python() == own;
  }));
  CHECK(test::in_child([] {  // as Python says when it does not know
    set_python_host({"", nullptr});
    return find_python().filename() == "named";
  }));
}

TEST_CASE("There is one host in a process") {
  CHECK(python_host() == nullptr);
  CHECK(test::in_child([] {
    set_python_host({"/one", nullptr});
    try {
      set_python_host({"/two", nullptr});
    } catch (const Error& error) {
      return error.code() == ErrorCode::InvalidState && python_host()->interpreter == "/one";
    }
    return false;
  }));
}

TEST_CASE("An interpreter that is not there says how it was chosen") {
  const test::TemporaryFolder folder;
  folder.write("text", "no program");
  const Environment path("PATH", folder.path().string());
  const Environment no_name("GXR_PYTHON", nullptr);
  const Environment no_environment("VIRTUAL_ENV", nullptr);
  CHECK_THAT(text_of_failure(), ContainsSubstring("no folder of PATH has a program 'python3'"));
  const Environment environment("VIRTUAL_ENV", "/none");
  CHECK_THAT(text_of_failure(), ContainsSubstring("VIRTUAL_ENV names '/none'"));
  const Environment name("GXR_PYTHON", (folder.path() / "text").string());
  CHECK_THAT(text_of_failure(), ContainsSubstring("GXR_PYTHON names '"));
}

TEST_CASE("A file of Python has its ending") {
  CHECK(is_python_file("a/ops.py"));
  CHECK_FALSE(is_python_file("ops.pyc"));
  CHECK_FALSE(is_python_file("ops.py.so"));
  CHECK_FALSE(is_python_file("py"));
}

}  // namespace
}  // namespace gxr
