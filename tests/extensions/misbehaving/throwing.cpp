#include <stdexcept>

#include <gxr/gxr.hpp>

#include "built.hpp"

namespace test {

void fail(const std::string& what) {
  if (what == "exception") {
    throw std::runtime_error("a std::exception");
  }
  if (what == "error") {
    throw gxr::Error(gxr::ErrorCode::NotAvailable, "a gxr::Error");
  }
  throw 42;
}

/// Works, but throws in one of its methods.
class Throwing : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(method_, "method", "Where to throw")
        .choices(
            {{"initialize", ""}, {"start", ""}, {"tick", ""}, {"stop", ""}, {"deinitialize", ""}});
    interface.parameter(what_, "what", "What to throw")
        .default_value("exception")
        .choices({{"exception", "a std::exception"}, {"error", "a gxr::Error"}, {"int", "an int"}});
  }

  void initialize() override { fail_in("initialize"); }
  void start() override { fail_in("start"); }
  void tick() override { fail_in("tick"); }
  void stop() override { fail_in("stop"); }
  void deinitialize() override { fail_in("deinitialize"); }

 private:
  void fail_in(const char* method) const {
    if (*method_ == method) {
      fail(*what_);
    }
  }

  gxr::Parameter<std::string> method_;
  gxr::Parameter<std::string> what_;
};

class ThrowingConstructor : public gxr::Codelet {
 public:
  ThrowingConstructor() {
    if (!being_built()) {
      fail("exception");
    }
  }
  void tick() override {}
};

class ThrowingDeclare : public gxr::Codelet {
 public:
  void declare(gxr::Interface&) override {
    if (!being_built()) {
      fail("error");
    }
  }
  void tick() override {}
};

}  // namespace test

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<test::Throwing>("Throws in one of its methods");
  extension.add<test::ThrowingConstructor>("Throws in its constructor");
  extension.add<test::ThrowingDeclare>("Throws when it declares its interface");
}
