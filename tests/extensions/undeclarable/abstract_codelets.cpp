// Codelets that their author believes to be complete, and bases that are meant to be abstract.

#include <gxr/gxr.hpp>

// Some compilers see by themselves that two of them override nothing.
#pragma GCC diagnostic ignored "-Woverloaded-virtual"

namespace test {

class Misspelt : public gxr::Codelet {
 public:
  void ticks() {}
};

class TakesTime : public gxr::Codelet {
 public:
  using gxr::Codelet::Codelet;
  virtual void tick(double seconds) { seconds_ = seconds; }

 private:
  double seconds_ = 0;
};

class Constant : public gxr::Codelet {
 public:
  void tick() const {}
};

class Empty : public gxr::Codelet {};

class Uncaptured : public gxr::Codelet, public gxr::GraphOperator {
 public:
  void tick() override {}
  void infer(gxr::ShapeContext& /*context*/) override {}
};

class Hidden : public gxr::Codelet {
 public:
  virtual void work() = 0;

 private:
  void tick() override { work(); }
};

class Base : public gxr::Codelet {};
class Derived : public Base {
 public:
  void tick() override {}
};

class Service : public gxr::Codelet {};
class Client : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(services_, "services", "Those that it uses").optional();
  }
  void tick() override {}

 private:
  gxr::Parameter<std::vector<gxr::Handle<Service>>> services_;
};

class ForOthers : public gxr::Codelet {};

}  // namespace test

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<test::Misspelt>("Has a method of another name");
  extension.add<test::TakesTime>("Has a method with a parameter");
  extension.add<test::Constant>("Has a method that is const");
  extension.add<test::Empty>("Has no method");
  extension.add<test::Uncaptured>("Has no capture()");
  extension.add<test::Hidden>("Has a private tick()");
  extension.add<test::Base>("A base of a type here");
  extension.add<test::Derived, test::Base>("A codelet");
  extension.add<test::Service>("What a parameter names");
  extension.add<test::Client>("A codelet");
  extension.add_base<test::ForOthers>("A base of types elsewhere");
}
