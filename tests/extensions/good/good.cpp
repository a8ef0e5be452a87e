// An extension with a parameter of each kind, for list, describe, schema and validate.

#include <array>
#include <map>
#include <utility>
#include <vector>

#include <gxr/gxr.hpp>

namespace test {

enum class Shade { Light, Dark };

}  // namespace test

template <>
struct gxr::EnumNames<test::Shade> {
  static constexpr std::pair<test::Shade, const char*> values[] = {{test::Shade::Light, "Light"},
                                                                   {test::Shade::Dark, "Dark"}};
};

namespace test {

/// Passes messages on.
class Kinds : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Messages to pass on");
    interface.output(out_, "out", "The same messages").optional();
    interface.parameter(flag_, "flag", "A switch").default_value(true);
    interface.parameter(count_, "count", "How often").range(1, 10).unit("times");
    interface.parameter(gain_, "gain", "Factor on everything",
                        "What is multiplied by it is everything that passes here, and it may be changed "
                        "at any time; the long text shows how lines are broken.")
        .default_value(0.5)
        .minimum(0.0)
        .step(0.1)
        .dynamic();
    interface.parameter(mode_, "mode", "How to do it")
        .default_value(2)
        .choices({{"0", "drop the oldest"}, {"2", "fail"}});
    interface.parameter(color_, "color", "What to paint it in")
        .default_value("red")
        .choices({{"red", ""}, {"green", "the color of grass"}});
    interface.parameter(shade_, "shade", "How dark").default_value(Shade::Dark);
    interface.parameter(file_, "file", "Where to read").optional();
    interface.parameter(period_, "period", "How long to wait").default_value({50000000});
    interface.parameter(memory_, "memory", "How much to take").optional();
    interface.parameter(weights_, "weights", "One for each input")
        .default_value({1, 2})
        .range(0, 9);
    interface.parameter(size_, "size", "Width and height").default_value({640, 480});
    interface.parameter(names_, "names", "Names of things").optional();
    interface.parameter(limits_, "limits", "Name and number").optional();
    interface.parameter(phase_, "phase", "A complex number").optional();
  }

  void tick() override { out_.publish(in_.receive()); }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
  gxr::Parameter<bool> flag_;
  gxr::Parameter<std::uint32_t> count_;
  gxr::Parameter<double> gain_;
  gxr::Parameter<std::uint64_t> mode_;
  gxr::Parameter<std::string> color_;
  gxr::Parameter<Shade> shade_;
  gxr::Parameter<gxr::FilePath> file_;
  gxr::Parameter<gxr::Duration> period_;
  gxr::Parameter<gxr::ByteSize> memory_;
  gxr::Parameter<std::vector<std::int32_t>> weights_;
  gxr::Parameter<std::array<std::int32_t, 2>> size_;
  gxr::Parameter<std::map<std::string, std::string>> names_;
  gxr::Parameter<std::pair<std::string, std::int64_t>> limits_;
  gxr::Parameter<std::complex<float>> phase_;
};

class Shape : public gxr::Component {
 public:
  virtual double area() const = 0;
};

class Circle : public Shape {
 public:
  double area() const override { return 3.0; }
};

class Twin : public gxr::Component {};

struct Sample {
  int value = 0;
};

}  // namespace test

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<test::Kinds>("Has a parameter of each kind")
      .alias("other::Kinds")
      .alias("old::Kinds")
      .description("It passes messages on and looks at none of its parameters.");
  extension.add<test::Shape>("Something with an area");
  extension.add<test::Circle, test::Shape>("A round shape").id(1, 2);
  extension.add<test::Twin>("A type that another extension has too");
  extension.add_data<test::Sample>("A number in a message");
}
