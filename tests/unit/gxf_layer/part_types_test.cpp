// The ids of data types, by which messages and recordings name them.

#include <cstddef>
#include <memory>
#include <new>
#include <string>

#include "catch.hpp"
#include "gxf/core/type_record.hpp"
#include "gxf/multimedia/audio.hpp"
#include "gxf/multimedia/camera.hpp"
#include "gxf/multimedia/video.hpp"
#include "gxf/std/eos.hpp"
#include "gxf/std/tensor.hpp"
#include "gxf/std/timestamp.hpp"
#include "gxr/multimedia/camera.hpp"
#include "gxr/tensor.hpp"

namespace nvidia::gxf::part_types_test {

namespace {

/// The first number of the id under which T is known; 0 for an unknown type.
template <typename T>
uint64_t id_of() {
  const layer::TypeRecord* const record = layer::TypeOf<T>();
  return record != nullptr ? record->tid.hash1 : 0;
}

}  // namespace

TEST_CASE("Parts have the ids of GXF", "[gxf_layer]") {
  CHECK(id_of<Tensor>() == 0x377501d69abf447c);
  CHECK(id_of<Shape>() == 0x469cc839a6ab470b);
  CHECK(id_of<Timestamp>() == 0xd1095b105c904bbc);
  CHECK(id_of<MultiSourceTimestamp>() == 0x872e77ecbde811ed);
  CHECK(id_of<EndOfStream>() == 0x8c42f7bf70414626);
  CHECK(id_of<VideoBuffer>() == 0x16ad58c8b463422c);
  CHECK(id_of<AudioBuffer>() == 0xa914cac65f19449d);
  CHECK(id_of<CameraModel>() == 0xbac444bdf13b4927);
  CHECK(id_of<Pose3D>() == 0xda8387d9d8ab425f);
}

TEST_CASE("The engine makes parts that sources can use", "[gxf_layer]") {
  const layer::TypeRecord* const record = layer::TypeOf<Tensor>();
  REQUIRE(record != nullptr);
  CHECK(record->size == sizeof(Tensor));
  CHECK(record->alignment == alignof(Tensor));
  alignas(Tensor) std::byte memory[sizeof(Tensor)];
  record->construct(memory);
  auto& tensor = *std::launder(reinterpret_cast<Tensor*>(memory));
  CHECK(tensor.element_type() == PrimitiveType::kUnsigned8);
  CHECK(tensor.pointer() == nullptr);
  tensor.~Tensor();
}

}  // namespace nvidia::gxf::part_types_test
