#include <iostream>
#include <string>

#include <gxr/gxr.hpp>

namespace greeter {

class Greeter : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(name_, "name", "Who is greeted").default_value("world");
  }
  void tick() override { std::cout << "greetings to " << name_.get() << '\n'; }

 private:
  gxr::Parameter<std::string> name_;
};

}  // namespace greeter

void gxr_extension(gxr::Extension& extension) {
  extension.add<greeter::Greeter>("Prints a greeting at every tick");
}
