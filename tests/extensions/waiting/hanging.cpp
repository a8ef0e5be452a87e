#include "waiting.hpp"

namespace test {

void Hanging::declare(gxr::Interface& interface) {
  interface.parameter(where_, "where", "The call that never returns")
      .choices({{"initialize", "initialize()"},
                {"start", "start()"},
                {"tick", "the first tick"},
                {"stop", "stop()"},
                {"deinitialize", "deinitialize()"}});
}

void Hanging::call(const std::string& method) {
  if (*where_ != method) {
    return;
  }
  log_info("hangs");
  for (;;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

}  // namespace test
