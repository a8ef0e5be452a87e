#include <csignal>
#include <cstdlib>
#include <string>
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
                  {"overflow", "recursion until the stack is full"},
                  {"exit", "std::exit(0)"}});
  }

  void tick() override {
    if (*how_ == "overflow") {
      log_info(std::to_string(recurse(1)));
    } else if (*how_ == "segfault") {
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
  // Each call needs some of its frame after the next one.
  static int recurse(int depth) {
    volatile char frame[4096];
    frame[depth % 4096] = static_cast<char>(depth);
    return depth < 0 ? 0 : recurse(depth + 1) + frame[depth % 4096];
  }

  gxr::Parameter<std::string> how_;
};

}  // namespace test

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<test::Crashing>("Ends the process in tick");
}
