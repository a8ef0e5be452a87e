// Does not compile with gxr's headers, which say: what moves messages is gxr's own.
#include "gxf/std/extension_factory_helper.hpp"
#include "gxf/std/router.hpp"

namespace acme {
namespace broken {

class LongRouter : public nvidia::gxf::Router {
 public:
  nvidia::gxf::Expected<void> addRoutes(const nvidia::gxf::Entity&) override {
    return nvidia::gxf::Success;
  }
  nvidia::gxf::Expected<void> removeRoutes(const nvidia::gxf::Entity&) override {
    return nvidia::gxf::Success;
  }
  nvidia::gxf::Expected<void> syncInbox(const nvidia::gxf::Entity&) override {
    return nvidia::gxf::Success;
  }
  nvidia::gxf::Expected<void> syncOutbox(const nvidia::gxf::Entity&) override {
    return nvidia::gxf::Success;
  }
  nvidia::gxf::Expected<void> setClock(nvidia::gxf::Handle<nvidia::gxf::Clock>) override {
    return nvidia::gxf::Success;
  }
  nvidia::gxf::Expected<void> addNetworkContext(
      nvidia::gxf::Handle<nvidia::gxf::NetworkContext>) override {
    return nvidia::gxf::Success;
  }
};

}  // namespace broken
}  // namespace acme

GXF_EXT_FACTORY_BEGIN()
GXF_EXT_FACTORY_SET_INFO(0x6a0c4f19e2b7483d, 0x91e5d83c07fa4b26, "LongExtension",
                         "A router of its own", "Acme", "1.0.0", "Apache-2.0");
GXF_EXT_FACTORY_ADD(0x6a0c4f19e2b7483d, 0x91e5d83c07fa4b27, acme::broken::LongRouter,
                    nvidia::gxf::Router, "A router of its own");
GXF_EXT_FACTORY_END()
