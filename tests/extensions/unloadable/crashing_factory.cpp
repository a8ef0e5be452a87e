#include <csignal>

#include <gxr/gxr.hpp>

#include "built.hpp"

namespace test {

class CrashingFactory : public gxr::Codelet {
 public:
  void tick() override {}
};

}  // namespace test

extern "C" void gxr_extension(gxr::Extension& extension) {
  if (!test::being_built()) {
    std::raise(SIGSEGV);
  }
  extension.add<test::CrashingFactory>("Cannot be made");
}
