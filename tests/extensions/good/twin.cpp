#include <gxr/gxr.hpp>

namespace test {

class Twin : public gxr::Component {};

}  // namespace test

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<test::Twin>("The same name as in the extension 'good'");
}
