#include <gxr/gxr.hpp>
#include <gxr/multimedia/video_format.hpp>

namespace test {

template <class T>
class Template : public gxr::Component {};

class Keys : public gxr::Component {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(a_, "twice", "The first");
    interface.parameter(b_, "twice", "The second");
    interface.parameter(c_, "with/slash", "A key that no override can name");
  }

 private:
  gxr::Parameter<int> a_, b_, c_;
};

class Defaults : public gxr::Component {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(a_, "outside", "Its default is too large").range(0, 10).default_value(11);
    interface.parameter(b_, "empty", "No value is possible").range(2, 1).optional();
    interface.parameter(c_, "other", "Its default is no choice")
        .default_value("z")
        .choices({{"x", ""}, {"y", ""}});
    interface.parameter(d_, "element", "One element is too small")
        .range(0, 10)
        .default_value({1, -1});
  }

 private:
  gxr::Parameter<int> a_, b_;
  gxr::Parameter<std::string> c_;
  gxr::Parameter<std::vector<int>> d_;
};

class Ports : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(a_, "rank", "Too many dimensions").rank(9);
    interface.input(b_, "both", "Rank and dimensions").dimensions({-1, 3}).rank(3);
    interface.input(c_, "format", "A tensor is no picture").formats({gxr::VideoFormat::Rgb});
    interface.input(d_, "elements", "A time has no elements")
        .part<gxr::Timestamp>()
        .elements({gxr::ElementType::Int8});
    interface.input(e_, "others", "An input takes any other part").other_parts();
  }
  void tick() override {}

 private:
  gxr::Input<gxr::Tensor> a_, b_, c_;
  gxr::Input<> d_, e_;
};

class Once : public gxr::Component {};
class Again : public gxr::Component {};

}  // namespace test

namespace {

class Hidden : public gxr::Component {};

}  // namespace

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<test::Template<int>>("A template");
  extension.add<Hidden>("In an unnamed namespace");
  extension.add<test::Once>("A name");
  extension.add<test::Again>("The same name as alias").alias("test::Once");
  extension.add<test::Keys>("Bad keys");
  extension.add<test::Defaults>("Bad defaults");
  extension.add<test::Ports>("Bad ports");
}
