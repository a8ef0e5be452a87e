#include "commands/device_description.hpp"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.hpp"

namespace {

gxr::DeviceFacts facts_of_one() {
  gxr::DeviceFacts facts;
  facts.name = "NVIDIA H200";
  facts.capability_major = 9;
  facts.memory_bytes = 150'039'691'264;
  facts.sms = 132;
  facts.instance_mode = gxr::InstanceMode::Off;
  return facts;
}

TEST_CASE("the lines of a GPU say what it is and whether gxr uses it") {
  CHECK(gxr::commands::describe_gpu(0, facts_of_one()) ==
        "0   NVIDIA H200\n"
        "    compute capability 9.0, 139.74 GiB of memory, 132 multiprocessors\n"
        "    it reaches the memory of no other GPU directly\n"
        "    instances (MIG) are off\n"
        "    gxr uses it where an application names no other one\n");
}

TEST_CASE("the lines of a GPU name its peers, its instances and why gxr cannot use it") {
  gxr::DeviceFacts facts = facts_of_one();
  facts.capability_minor = 3;
  facts.sms = 1;
  facts.peers = {0, 2};
  facts.instance_mode = gxr::InstanceMode::On;
  facts.instances = 3;
  CHECK(gxr::commands::describe_gpu(1, facts) ==
        "1   NVIDIA H200\n"
        "    compute capability 9.3, 139.74 GiB of memory, 1 multiprocessor\n"
        "    it reaches the memory of GPUs 0, 2 directly\n"
        "    instances (MIG) are on: 3, of which a process uses one\n"
        "    gxr uses it where an application names it\n");
  facts.peers = {0};
  facts.instance_mode = gxr::InstanceMode::Unknown;
  facts.why_not = "cudaFuncGetAttributes: cudaErrorNoKernelImageForDevice (209)";
  const std::string text = gxr::commands::describe_gpu(1, facts);
  CHECK(text.find("the memory of GPU 0 directly") != std::string::npos);
  CHECK(text.find("NVML does not say") != std::string::npos);
  CHECK(text.find("gxr cannot use it: cudaFuncGetAttributes") != std::string::npos);
  CHECK(text.find("gxr uses it") == std::string::npos);
}

TEST_CASE("the JSON of GPUs has a reason where there is none") {
  CHECK(gxr::commands::gpus_as_json({}, "no GPU").dump() ==
        R"({"devices":[],"why_none":"no GPU"})");
  gxr::DeviceFacts second = facts_of_one();
  second.peers = {0};
  second.instance_mode = gxr::InstanceMode::None;
  second.why_not = "in use";
  const auto json = gxr::commands::gpus_as_json({facts_of_one(), second}, "");
  CHECK_FALSE(json.contains("why_none"));
  CHECK(json["devices"][0].dump() ==
        R"({"number":0,"name":"NVIDIA H200","compute_capability":"9.0",)"
        R"("memory_bytes":150039691264,"multiprocessors":132,"peers":[],"mig":"off",)"
        R"("mig_instances":0,"usable":true,"default":true})");
  CHECK(json["devices"][1]["peers"].dump() == "[0]");
  CHECK(json["devices"][1]["mig"] == "none");
  CHECK(json["devices"][1]["why_not"] == "in use");
  CHECK(json["devices"][1]["usable"] == false);
  CHECK(json["devices"][1]["default"] == false);
}

}  // namespace
