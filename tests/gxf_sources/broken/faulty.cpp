#include "faulty.hpp"

#include "common/assert.hpp"
#include "gxf/core/entity.hpp"
#include "gxf/core/expected.hpp"

namespace acme {
namespace broken {

gxf_result_t Faulty::registerInterface(nvidia::gxf::Registrar* registrar) {
  nvidia::gxf::Expected<void> result;
  result &=
      registrar->parameter(where_, "where", "Where", "What goes wrong", std::string("nowhere"));
  result &= registrar->parameter(level_, "level", "Level", "Must be given");
  result &= registrar->parameter(even_, "even", "Even", "An even number", Even{2});
  result &= registrar->parameter(unset_, "unset", "Unset", "Never given",
                                 nvidia::gxf::Registrar::NoDefaultParameter(),
                                 GXF_PARAMETER_FLAGS_OPTIONAL);
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t Faulty::initialize() {
  return where_.get() == "initialize" ? GXF_UNINITIALIZED_VALUE : GXF_SUCCESS;
}

gxf_result_t Faulty::start() {
  return where_.get() == "start" ? GXF_INVALID_LIFECYCLE_STAGE : GXF_SUCCESS;
}

gxf_result_t Faulty::tick() {
  const std::string& where = where_.get();
  if (where == "tick") {
    return GXF_FAILURE;
  }
  if (where == "value") {
    const auto message = nvidia::gxf::Entity::New(context());
    return message.value().get<int64_t>("missing").value() ? GXF_SUCCESS : GXF_FAILURE;
  }
  if (where == "error") {
    const nvidia::gxf::Expected<int> number = level_.get();
    return number.error();
  }
  if (where == "parameter") {
    return unset_ > 0.0 ? GXF_SUCCESS : GXF_FAILURE;
  }
  if (where == "handle") {
    const auto handle = nvidia::gxf::Handle<int64_t>::Null();
    return *handle.get() == 0 ? GXF_SUCCESS : GXF_FAILURE;
  }
  if (where == "assert") {
    GXF_ASSERT(level_ < 0, "level is %d", level_.get());
  }
  if (where == "panic") {
    GXF_PANIC("level %d is too much", level_.get());
  }
  return GXF_SUCCESS;
}

gxf_result_t Faulty::stop() { return where_.get() == "stop" ? GXF_FAILURE : GXF_SUCCESS; }

gxf_result_t Faulty::deinitialize() {
  return where_.get() == "deinitialize" ? GXF_FAILURE : GXF_SUCCESS;
}

}  // namespace broken
}  // namespace acme
