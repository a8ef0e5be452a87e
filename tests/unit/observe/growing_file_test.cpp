#include "observe/growing_file.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include "catch.hpp"

namespace gxr {
namespace {

std::string scratch() {
  return (std::filesystem::temp_directory_path() /
          ("gxr_growing_file_" + std::to_string(::getpid())))
      .string();
}

std::string text_of(const std::string& name) {
  std::ifstream file(name);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("A growing file has its end after each piece", "[growing-file]") {
  const std::string name = scratch();
  GrowingFile file(open_to_write(name, WriteMode::Anew));
  CHECK(file.add("[1", "]") == 0);
  CHECK(text_of(name) == "[1]");
  CHECK(file.add("", ",2,3,4]") == 0);
  CHECK(text_of(name) == "[1,2,3,4]");
  CHECK(file.add(",2", "]") == 0);
  CHECK(text_of(name) == "[1,2]\n\n\n\n");
  CHECK(file.add(",33", "]") == 0);
  CHECK(text_of(name) == "[1,2,33]\n");
  CHECK(file.finish(",4", "]") == 0);
  CHECK(text_of(name) == "[1,2,33,4]");
  std::filesystem::remove(name);
}

TEST_CASE("A growing file is no longer than its last end", "[growing-file]") {
  const std::string name = scratch();
  GrowingFile file(open_to_write(name, WriteMode::Anew));
  CHECK(file.add("[1", ",2,3,4]") == 0);
  CHECK(file.finish("", "]") == 0);
  CHECK(text_of(name) == "[1]");
  std::filesystem::remove(name);
}

TEST_CASE("A growing file says that a device takes no more, or that its name is gone",
          "[growing-file]") {
  GrowingFile full(open_to_write("/dev/full", WriteMode::Anew));
  CHECK(full.add("[1", "]") == ENOSPC);
  const std::string name = scratch();
  GrowingFile removed(open_to_write(name, WriteMode::Anew));
  CHECK(removed.add("[1", "]") == 0);
  std::filesystem::remove(name);
  CHECK(removed.finish("", "]") == ENOENT);
}

TEST_CASE("A device gets the last end alone", "[growing-file]") {
  GrowingFile nowhere(open_to_write("/dev/null", WriteMode::Anew));
  CHECK(nowhere.add("[1", "]") == 0);
  CHECK(nowhere.finish(",2", "]") == 0);
}

}  // namespace gxr
