// Facades of serializers, endpoints, and what else of the graph sources may ask for.

#include "context.hpp"
#include "facades.hpp"
#include "gxf/serialization/entity_recorder.hpp"
#include "gxf/serialization/entity_replayer.hpp"
#include "gxf/serialization/file.hpp"
#include "gxf/serialization/serialization_buffer.hpp"
#include "gxf/serialization/std_component_serializer.hpp"
#include "gxf/serialization/std_entity_id_serializer.hpp"
#include "gxf/serialization/std_entity_serializer.hpp"
#include "gxf/std/connection.hpp"
#include "gxf/std/cpu_thread.hpp"
#include "gxf/std/job_statistics.hpp"
#include "gxf/std/metric.hpp"
#include "gxf/std/scheduler.hpp"
#include "gxf/std/scheduling_term_combiner.hpp"
#include "gxf/std/topic.hpp"
#include "gxr/metric.hpp"
#include "gxr/queue.hpp"
#include "gxr/resource.hpp"
#include "gxr/scheduler.hpp"
#include "gxr/scheduling_term.hpp"
#include "gxr/serialization/component_serializer.hpp"
#include "gxr/serialization/endpoint.hpp"
#include "gxr/serialization/entity_serializer.hpp"

namespace nvidia::gxf {
namespace layer {
namespace {

template <class T, class Native>
Handle<T> handle_of(gxf_context_t context, Native& component) {
  return Handle<T>(context, context_of(context)->target_of(component));
}

/// A facade for a type whose class is not in gxr's headers, by its name.
template <class Facade>
bool try_named(gxr::Component& component, const char* name, MadeFacade& made) {
  if (component.type() != name) {
    return false;
  }
  made = {std::make_unique<Facade>(), TypenameAsString<Facade>()};
  return true;
}

}  // namespace

MadeFacade make_graph_facade(gxr::Component& component) {
  MadeFacade made;
  static_cast<void>(
      try_facade<OrSchedulingTermCombiner, gxr::OrSchedulingTermCombiner>(component, made) ||
      try_facade<Connection, gxr::Connection>(component, made) ||
      try_facade<Topic, gxr::Topic>(component, made) ||
      try_facade<CPUThread, gxr::CPUThread>(component, made) ||
      try_facade<Metric, gxr::Metric>(component, made) ||
      try_facade<Scheduler, gxr::Scheduler>(component, made) ||
      try_facade<System, gxr::System>(component, made) ||
      try_facade<SerializationBuffer, gxr::SerializationBuffer>(component, made) ||
      try_facade<File, gxr::File>(component, made) ||
      try_facade<NativeEndpoint, gxr::Endpoint, Endpoint>(component, made) ||
      try_facade<StdComponentSerializer, gxr::StdComponentSerializer>(component, made) ||
      try_facade<NativeComponentSerializer, gxr::ComponentSerializer, ComponentSerializer>(
          component, made) ||
      try_facade<StdEntitySerializer, gxr::StdEntitySerializer>(component, made) ||
      try_facade<StdEntityIdSerializer, gxr::StdEntityIdSerializer>(component, made) ||
      try_facade<NativeEntitySerializer, gxr::EntitySerializer, EntitySerializer>(component,
                                                                                  made) ||
      try_named<JobStatistics>(component, "gxr::JobStatistics", made) ||
      try_named<EntityRecorder>(component, "gxr::EntityRecorder", made) ||
      try_named<EntityReplayer>(component, "gxr::EntityReplayer", made));
  return made;
}

}  // namespace layer

EntityRecorder::~EntityRecorder() = default;
gxf_result_t EntityRecorder::tick() { return GXF_NOT_IMPLEMENTED; }
EntityReplayer::~EntityReplayer() = default;
gxf_result_t EntityReplayer::tick() { return GXF_NOT_IMPLEMENTED; }

CPUThread::~CPUThread() = default;
bool CPUThread::pinned() const { return thread_.pin_entity(); }

Connection::~Connection() = default;
Handle<Transmitter> Connection::source() const {
  return layer::handle_of<Transmitter>(context(), connection_.source());
}
Handle<Receiver> Connection::target() const {
  return layer::handle_of<Receiver>(context(), connection_.target());
}

Topic::~Topic() = default;
const char* Topic::getTopicName() const {
  return topic_.topic_name().empty() ? name() : topic_.topic_name().c_str();
}
std::vector<Handle<Transmitter>> Topic::getTransmitters() const {
  std::vector<Handle<Transmitter>> result;
  for (const auto& transmitter : topic_.transmitters()) {
    result.push_back(layer::handle_of<Transmitter>(context(), *transmitter.get()));
  }
  return result;
}
std::vector<Handle<Receiver>> Topic::getReceivers() const {
  std::vector<Handle<Receiver>> result;
  for (const auto& receiver : topic_.receivers()) {
    result.push_back(layer::handle_of<Receiver>(context(), *receiver.get()));
  }
  return result;
}

}  // namespace nvidia::gxf
