#include "device/device_facts.hpp"

#include "catch.hpp"

namespace {

gxr::NoDeviceFacts with_driver() {
  gxr::NoDeviceFacts facts;
  facts.driver = "12.4";
  facts.runtime = "13.0";
  return facts;
}

TEST_CASE("the reason for no GPU is the first that keeps CUDA from it") {
  gxr::NoDeviceFacts facts = with_driver();
  CHECK(gxr::explain_no_device(facts) == "the driver sees no GPU");
  facts.visible = "7";
  CHECK(gxr::explain_no_device(facts) == "CUDA_VISIBLE_DEVICES is '7', which shows no GPU");
  facts.visible = "";
  CHECK(gxr::explain_no_device(facts) == "CUDA_VISIBLE_DEVICES is empty, which hides all GPUs");
  facts.driver_too_old = true;
  CHECK(gxr::explain_no_device(facts) ==
        "the driver of the GPU is too old: it knows CUDA up to 12.4, and gxr was built with CUDA "
        "13.0");
  facts.driver_missing = true;
  CHECK(gxr::explain_no_device(facts) == "no driver for NVIDIA's GPUs is installed");
}

}  // namespace
