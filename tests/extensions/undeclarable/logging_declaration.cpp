#include <gxr/gxr.hpp>

namespace test {

class Chatty : public gxr::Component {
 public:
  void declare(gxr::Interface&) override { log_info("here I am"); }
};

}  // namespace test

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<test::Chatty>("Logs too early");
}
