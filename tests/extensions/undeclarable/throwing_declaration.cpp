#include <stdexcept>

#include <gxr/gxr.hpp>

namespace test {

class FirstThrows : public gxr::Component {
 public:
  FirstThrows() { throw std::runtime_error("no camera found"); }
};

class SecondThrows : public gxr::Component {
 public:
  void declare(gxr::Interface&) override { throw 42; }
};

}  // namespace test

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<test::FirstThrows>("Throws in its constructor");
  extension.add<test::SecondThrows>("Throws in declare");
}
