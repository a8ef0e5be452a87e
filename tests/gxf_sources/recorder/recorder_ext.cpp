#include "gxf/std/extension_factory_helper.hpp"
#include "note.hpp"
#include "note_codelets.hpp"
#include "note_entity_serializer.hpp"
#include "note_serializer.hpp"
#include "recorder.hpp"
#include "replayer.hpp"

GXF_EXT_FACTORY_BEGIN()
GXF_EXT_FACTORY_SET_INFO(0x68b3fd190c724ea5, 0xae150d9b7c42f831, "RecorderExtension",
                         "Records messages and plays them", "Acme", "1.1.0", "Apache-2.0");
GXF_EXT_FACTORY_ADD_0(0x68b3fd190c724ea5, 0xae150d9b7c42f832, acme::recorder::Note,
                      "A text and some numbers");
GXF_EXT_FACTORY_ADD(0x68b3fd190c724ea5, 0xae150d9b7c42f833, acme::recorder::NoteSerializer,
                    nvidia::gxf::ComponentSerializer, "Writes and reads notes and times");
GXF_EXT_FACTORY_ADD(0x68b3fd190c724ea5, 0xae150d9b7c42f834, acme::recorder::NoteEntitySerializer,
                    nvidia::gxf::EntitySerializer, "Writes and reads messages");
GXF_EXT_FACTORY_ADD(0x68b3fd190c724ea5, 0xae150d9b7c42f835, acme::recorder::Recorder,
                    nvidia::gxf::Codelet, "Writes messages to a file");
GXF_EXT_FACTORY_ADD(0x68b3fd190c724ea5, 0xae150d9b7c42f836, acme::recorder::Replayer,
                    nvidia::gxf::Codelet, "Sends the messages of a file");
GXF_EXT_FACTORY_ADD(0x68b3fd190c724ea5, 0xae150d9b7c42f837, acme::recorder::NoteSource,
                    nvidia::gxf::Codelet, "Sends numbered notes");
GXF_EXT_FACTORY_ADD(0x68b3fd190c724ea5, 0xae150d9b7c42f838, acme::recorder::NoteCheck,
                    nvidia::gxf::Codelet, "Checks numbered notes");
GXF_EXT_FACTORY_END()
