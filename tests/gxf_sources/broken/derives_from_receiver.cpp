// Does not compile with gxr's headers, which say: queues are gxr's own.
#include "gxf/std/extension_factory_helper.hpp"
#include "gxf/std/receiver.hpp"

namespace acme {
namespace broken {

class LoudReceiver : public nvidia::gxf::Receiver {
 public:
  gxf_result_t pop_abi(gxf_uid_t*) override { return GXF_NOT_IMPLEMENTED; }
  gxf_result_t push_abi(gxf_uid_t) override { return GXF_NOT_IMPLEMENTED; }
  gxf_result_t peek_abi(gxf_uid_t*, int32_t) override { return GXF_NOT_IMPLEMENTED; }
  size_t capacity_abi() override { return 1; }
  size_t size_abi() override { return 0; }
  gxf_result_t receive_abi(gxf_uid_t*) override { return GXF_NOT_IMPLEMENTED; }
  size_t back_size_abi() override { return 0; }
  gxf_result_t peek_back_abi(gxf_uid_t*, int32_t) override { return GXF_NOT_IMPLEMENTED; }
  gxf_result_t sync_abi() override { return GXF_SUCCESS; }
};

}  // namespace broken
}  // namespace acme

GXF_EXT_FACTORY_BEGIN()
GXF_EXT_FACTORY_SET_INFO(0x35d1f70b8a624ce9, 0xb7c03e9d5a184f62, "LoudExtension",
                         "A queue of its own", "Acme", "1.0.0", "Apache-2.0");
GXF_EXT_FACTORY_ADD(0x35d1f70b8a624ce9, 0xb7c03e9d5a184f63, acme::broken::LoudReceiver,
                    nvidia::gxf::Receiver, "A queue of its own");
GXF_EXT_FACTORY_END()
