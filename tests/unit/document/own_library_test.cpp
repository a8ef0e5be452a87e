#include "document/own_library.hpp"

#include <filesystem>

#include "catch.hpp"

namespace fs = std::filesystem;

TEST_CASE("a library of gxr is found where it is", "[own_library]") {
  CHECK(fs::is_regular_file(gxr::library_of_own("libgxr_yaml.so")));
}

TEST_CASE("a library that is missing is looked for beside libgxr.so", "[own_library]") {
  CHECK(gxr::library_of_own("libgxr_none.so") == gxr::folder_of_own_library() / "libgxr_none.so");
}
