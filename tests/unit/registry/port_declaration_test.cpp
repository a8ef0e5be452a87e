#include <string>
#include <vector>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "gxr/interface.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/tensor.hpp"
#include "registry/part_text.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {
namespace {

TEST_CASE("A port declares the parts of its messages") {
  TypeInfo info;
  Interface interface = EngineAccess::make_interface(info);
  Input<Tensor> in;
  Output<> out;
  Output<> any;
  interface.input(in, "in", "Points").named("points").dimensions({-1, 3}).optional();
  interface.output(out, "out", "A scan")
      .part<Tensor>("points")
      .elements({ElementType::Float32, ElementType::Float64})
      .rank(2)
      .part<VideoBuffer>()
      .formats({VideoFormat::Rgb})
      .optional_part()
      .other_parts()
      .description("All of it");
  interface.output(any, "any", "Something");
  REQUIRE(info.ports.size() == 3);
  REQUIRE(info.parameters.size() == 3);

  CHECK(info.parameters[0].optional);
  REQUIRE(info.ports[0].parts.size() == 1);
  CHECK(spell(info.ports[0].parts[0]) == "gxr::Tensor 'points', [?, 3]");
  CHECK(info.ports[0].parts[0].rank == 2U);

  CHECK(info.parameters[1].description == "All of it");
  CHECK_FALSE(info.parameters[1].optional);
  REQUIRE(info.ports[1].parts.size() == 2);
  CHECK(spell(info.ports[1].parts[0]) ==
        "gxr::Tensor 'points' of float32 or float64 with 2 dimensions");
  CHECK(spell(info.ports[1].parts[1]) == "gxr::VideoBuffer in RGB, optional");
  CHECK(info.ports[1].other_parts);

  CHECK(info.ports[2].parts.empty());
  CHECK(info.find(Capability::Kind::PassesMessages) == nullptr);
  interface.passes_messages();
  CHECK(info.find(Capability::Kind::PassesMessages) != nullptr);
}

TEST_CASE("A port takes one of several parts") {
  TypeInfo info;
  Interface interface = EngineAccess::make_interface(info);
  Input<Tensor> in;
  interface.input(in, "in", "A picture and perhaps a mask")
      .rank(3)
      .or_part<VideoBuffer>("camera")
      .formats({VideoFormat::Rgb})
      .part<Tensor>("mask")
      .optional_part();
  CHECK(spell(info.ports[0].parts, "; ") ==
        "gxr::Tensor with 3 dimensions or gxr::VideoBuffer 'camera' in RGB; gxr::Tensor 'mask', "
        "optional");
}

TEST_CASE("What a port says of a part needs a part") {
  TypeInfo info;
  Interface interface = EngineAccess::make_interface(info);
  Input<> in;
  CHECK_THROWS_AS(interface.input(in, "in", "Anything").rank(2), Error);
  CHECK_THROWS_AS(interface.input(in, "other", "Anything").or_part<Tensor>(), Error);
}

TEST_CASE("An instance is only bound") {
  Interface interface = EngineAccess::make_interface();
  Input<Tensor> in;
  Input<> any;
  interface.input(in, "in", "Points").named("points").rank(2).optional();
  interface.input(any, "any", "Anything").rank(2);
  REQUIRE(EngineAccess::bindings(interface).size() == 2);
  CHECK(EngineAccess::bindings(interface)[0].key == "in");
  CHECK_FALSE(in);
  CHECK_THROWS_AS(in.receive(), Error);
}

}  // namespace
}  // namespace gxr
