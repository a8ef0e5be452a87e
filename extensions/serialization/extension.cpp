#include "gxr/gxr.hpp"
#include "gxr/serialization/component_serializer.hpp"
#include "gxr/serialization/endpoint.hpp"
#include "gxr/serialization/entity_serializer.hpp"
#include "serialization/entity_recorder.hpp"
#include "serialization/entity_replayer.hpp"

void gxr_extension(gxr::Extension& extension) {
  using namespace gxr;
  extension.add_base<Endpoint>("Where serialised bytes go to and come from")
      .alias("nvidia::gxf::Endpoint")
      .id(0x801449dd1657513f, 0xa3f8f648047583d0);
  extension.add<SerializationBuffer, Endpoint>("Serialised bytes in memory")
      .alias("nvidia::gxf::SerializationBuffer")
      .id(0xcb253dcecce62ff4, 0x84ef3cf1db6e24a3);
  extension.add<File, Endpoint>("Serialised bytes in a file")
      .alias("nvidia::gxf::File")
      .id(0xc132f22c1ed16c0f, 0xed53c63bf9b28354);
  extension.add_base<ComponentSerializer>("Writes and reads the parts of messages")
      .alias("nvidia::gxf::ComponentSerializer")
      .id(0x8c76a82821771484, 0xf841d39c3fa47613);
  extension
      .add<StdComponentSerializer, ComponentSerializer>(
          "Writes and reads tensors, timestamps, numbers, pictures and sounds")
      .alias("nvidia::gxf::StdComponentSerializer")
      .id(0xc0e6b36c39ac50ac, 0xce8d702e18d8bff7);
  extension.add_base<EntitySerializer>("Writes and reads messages")
      .alias("nvidia::gxf::EntitySerializer")
      .id(0xfd7892f70464e591, 0xdef388d77c8dde70);
  extension.add<StdEntitySerializer, EntitySerializer>("Writes and reads messages in GXF's format")
      .alias("nvidia::gxf::StdEntitySerializer")
      .id(0xbe82d2fa52f53687, 0x84d3e4999125a09b);
  extension
      .add<StdEntityIdSerializer, EntitySerializer>(
          "Passes messages on inside the process without copying them")
      .alias("nvidia::gxf::StdEntityIdSerializer")
      .id(0x0d0fa475c5324a45, 0x890028acd3adf8c7);
  extension.add<EntityRecorder>("Records messages to a pair of files")
      .alias("nvidia::gxf::EntityRecorder")
      .id(0x9d5955c78fda22c7, 0xf18fea5e2d195be9);
  extension.add<EntityReplayer>("Publishes the messages of a recording")
      .alias("nvidia::gxf::EntityReplayer")
      .id(0xfe827c12d360c63c, 0x809432b9244d83b6);
}
