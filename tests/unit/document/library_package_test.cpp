#include "document/library_package.hpp"

#include "catch.hpp"

namespace gxr {
namespace {

TEST_CASE("A library that is missing is found in the words of the system") {
  CHECK(missing_library("libpng16.so.16: cannot open shared object file: No such file or "
                        "directory") == "libpng16.so.16");
  CHECK(missing_library("/a/b.so: undefined symbol: c").empty());
  CHECK(missing_library("").empty());
}

TEST_CASE("The package of a library is named where it is known") {
  CHECK(package_hint("libpng16.so.16") == "; on Debian and Ubuntu: apt-get install libpng16-16");
  CHECK(package_hint("libyaml-cpp.so.0.7") ==
        "; on Debian and Ubuntu: apt-get install libyaml-cpp0.7");
  CHECK(package_hint("libtiff.so.6") == "; on Debian and Ubuntu: apt-get install libtiff6");
  CHECK(package_hint("libjpeg.so.62") == "; on Debian and Ubuntu: apt-get install libjpeg62-turbo");
  CHECK(package_hint("libmine.so.1").empty());
}

}  // namespace
}  // namespace gxr
