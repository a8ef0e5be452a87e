#include <csignal>
#include <cstdlib>
#include <thread>

#include <gxr/gxr.hpp>

namespace test {

/// Ends the process in tick.
class Crashing : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(how_, "how", "How to end the process")
        .choices({{"segfault", "invalid memory access"},
                  {"abort", "std::abort"},
                  {"thread", "invalid memory access on a thread of its own"},
                  {"exit", "std::exit(0)"}});
  }

  void tick() override {
    if (*how_ == "segfault") {
      std::raise(SIGSEGV);
    } else if (*how_ == "abort") {
      std::abort();
    } else if (*how_ == "thread") {
      std::thread([] { std::raise(SIGSEGV); }).join();
    } else {
      std::exit(0);
    }
  }

 private:
  gxr::Parameter<std::string> how_;
};

}  // namespace test

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<test::Crashing>("Ends the process in tick");
}
