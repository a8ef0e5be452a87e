#include <string>

#include <yaml-cpp/emitter.h>
#include <yaml-cpp/emittermanip.h>
#include <yaml-cpp/null.h>

#include "document/yaml_library.hpp"

namespace gxr {
namespace {

void write(const Value& value, YAML::Emitter& emitter);

void write_sequence(const Value& value, YAML::Emitter& emitter) {
  emitter << (value.flow() ? YAML::Flow : YAML::Block) << YAML::BeginSeq;
  for (std::size_t i = 0; i < value.size(); ++i) {
    write(value.at(i), emitter);
  }
  emitter << YAML::EndSeq;
}

void write_map(const Value& value, YAML::Emitter& emitter) {
  emitter << (value.flow() ? YAML::Flow : YAML::Block) << YAML::BeginMap;
  for (std::size_t i = 0; i < value.size(); ++i) {
    emitter << YAML::Key;
    write(value.key(i), emitter);
    emitter << YAML::Value;
    write(value.value(i), emitter);
  }
  emitter << YAML::EndMap;
}

void write(const Value& value, YAML::Emitter& emitter) {
  if (!value.tag().empty()) {
    emitter << YAML::VerbatimTag(std::string(value.tag()));
  }
  switch (value.kind()) {
    case ValueKind::Null:
      emitter << YAML::Null;
      break;
    case ValueKind::Scalar:
      emitter << std::string(value.text());
      break;
    case ValueKind::Sequence:
      write_sequence(value, emitter);
      break;
    case ValueKind::Map:
      write_map(value, emitter);
      break;
  }
}

}  // namespace
}  // namespace gxr

void gxr_write_yaml(const gxr::Value& collection, std::string& result) {
  YAML::Emitter emitter;
  gxr::write(collection, emitter);
  result.assign(emitter.c_str(), emitter.size());
}
