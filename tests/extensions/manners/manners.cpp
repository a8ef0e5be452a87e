#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <locale>
#include <string>

#include <unistd.h>

#include <gxr/gxr.hpp>

namespace manners {
namespace {

void print_everywhere(const std::string& when) {
  std::printf("printf in %s\n", when.c_str());
  std::cout << "cout in " << when << '\n';
  const std::string text = "write in " + when + "\n";
  static_cast<void>(::write(STDOUT_FILENO, text.data(), text.size()) == 0);
}

void print_at_exit() { std::printf("printf at exit\n"); }

/// Numbers as in Germany, in whatever locales the machine has.
class German final : public std::numpunct<char> {
  [[nodiscard]] char do_decimal_point() const override { return ','; }
  [[nodiscard]] char do_thousands_sep() const override { return '.'; }
  [[nodiscard]] std::string do_grouping() const override { return "\3"; }
};

}  // namespace

/// Writes to standard output by all means, also what it leaves in buffers.
class Printer final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& /*interface*/) override {}
  void initialize() override {
    static_cast<void>(std::atexit(print_at_exit));
    print_everywhere("initialize");
  }
  void start() override { print_everywhere("start"); }
  void tick() override { print_everywhere("tick"); }
  void stop() override { print_everywhere("stop"); }
  void deinitialize() override { print_everywhere("deinitialize"); }
};

/// Sets the locale of the process, as toolkits for windows do.
class Locale final : public gxr::Component {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(name_, "name", "Locale of C", "Left as it is when the system has none.")
        .default_value("");
  }
  void initialize() override {
    std::locale::global(std::locale(std::locale::classic(), new German));
    static_cast<void>(std::setlocale(LC_ALL, name_->c_str()));
  }

 private:
  gxr::Parameter<std::string> name_;
};

}  // namespace manners

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<manners::Printer>("Writes to standard output");
  extension.add<manners::Locale>("Sets the locale of the process");
}
