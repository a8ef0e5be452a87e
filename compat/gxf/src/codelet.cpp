#include "gxf/std/codelet.hpp"

#include "adapters.hpp"
#include "common/logger.hpp"
#include "gxr/codelet.hpp"

namespace nvidia::gxf {
namespace layer {
namespace {

class CodeletAdapter final : public AdapterOf<gxr::Codelet> {
 public:
  explicit CodeletAdapter(gxf::Codelet& codelet) noexcept : AdapterOf(codelet), codelet_(codelet) {}

  void start() override {
    const ComponentCall call = this->call();
    codelet_.set_execution(execution_timestamp(), 0, 0);
    require_success(codelet_.start(), "start");
  }
  void tick() override {
    const ComponentCall call = this->call();
    codelet_.set_execution(execution_timestamp(), delta_time(), execution_count());
    if (const gxf_result_t code = codelet_.tick(); code != GXF_SUCCESS) {
      require_success(code, "tick");
    }
  }
  void stop() override {
    const ComponentCall call = this->call();
    codelet_.set_execution(execution_timestamp(), 0, execution_count());
    // GXF does not look at this code.
    if (const gxf_result_t code = codelet_.stop(); code != GXF_SUCCESS) {
      GXF_LOG_WARNING("%s: stop() returned %s", full_name().c_str(), GxfResultStr(code));
    }
  }

 private:
  gxf::Codelet& codelet_;
};

}  // namespace

}  // namespace layer

Codelet::~Codelet() = default;
gxf_result_t Codelet::start() { return GXF_SUCCESS; }
gxf_result_t Codelet::stop() { return GXF_SUCCESS; }
gxr::Component* Codelet::make_adapter() { return new layer::CodeletAdapter(*this); }

}  // namespace nvidia::gxf
