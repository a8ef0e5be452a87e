#include <stdexcept>

#include <gxr/gxr.hpp>

#include "built.hpp"

namespace test {

class ThrowingFactory : public gxr::Codelet {
 public:
  void tick() override {}
};

}  // namespace test

extern "C" void gxr_extension(gxr::Extension& extension) {
  if (!test::being_built()) {
    throw std::runtime_error("no licence for this machine");
  }
  extension.add<test::ThrowingFactory>("Cannot be made");
}
