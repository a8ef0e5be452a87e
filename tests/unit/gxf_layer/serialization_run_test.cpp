// Serializers, endpoints, controllers, monitors and the like of sources in applications, and those
// of gxr as sources see them.

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "catch.hpp"
#include "gxf/core/layer_fingerprint.hpp"
#include "gxf/serialization/entity_recorder.hpp"
#include "gxf/serialization/file_stream.hpp"
#include "gxf/serialization/serialization_buffer.hpp"
#include "gxf/serialization/std_component_serializer.hpp"
#include "gxf/serialization/std_entity_serializer.hpp"
#include "gxf/std/codelet.hpp"
#include "gxf/std/connection.hpp"
#include "gxf/std/controller.hpp"
#include "gxf/std/cpu_thread.hpp"
#include "gxf/std/default_extension.hpp"
#include "gxf/std/job_statistics.hpp"
#include "gxf/std/metric.hpp"
#include "gxf/std/monitor.hpp"
#include "gxf/std/receiver.hpp"
#include "gxf/std/scheduler.hpp"
#include "gxf/std/scheduling_term_combiner.hpp"
#include "gxf/std/scheduling_terms.hpp"
#include "gxf/std/tensor.hpp"
#include "gxf/std/timestamp.hpp"
#include "gxf/std/topic.hpp"
#include "gxf/std/transmitter.hpp"
#include "gxf/std/typed_message_view.hpp"
#include "gxr/application.hpp"
#include "gxr/extension.hpp"
#include "gxr/type_provider.hpp"
#include "tests/unit/registry/temporary_folder.hpp"

namespace nvidia::gxf::serialization_run {

using gxr::test::TemporaryFolder;

/// A part that only a serializer of this file knows.
struct Word {
  std::string text;
};

/// What the components of a run saw.
struct Seen {
  std::vector<std::string> words;
  std::vector<std::string> lines;
};
Seen seen;

/// Publishes "a", "bb", "ccc", …, with a time and a tensor.
class Source : public Codelet {
 public:
  gxf_result_t registerInterface(Registrar* registrar) override {
    Expected<void> result;
    result &= registrar->parameter(out_, "out", "Output", "");
    result &= registrar->parameter(allocator_, "allocator", "Memory", "");
    return ToResultCode(result);
  }
  gxf_result_t tick() override {
    auto message = Entity::New(context());
    const TypedMessageView<Word, Tensor> view("word", "numbers");
    if (!message || view.check_entity(message.value()) || !view.add_to_entity(message.value()) ||
        !view.check_entity(message.value())) {
      return GXF_FAILURE;
    }
    const auto number = static_cast<std::size_t>(getExecutionCount());
    message.value().get<Word>().value()->text =
        std::string(number, static_cast<char>('a' + number - 1));
    auto tensor = message.value().get<Tensor>("numbers").value();
    const auto shaped = tensor->reshape<uint8_t>(Shape{static_cast<int32_t>(number)},
                                                 MemoryStorageType::kSystem, allocator_);
    if (!shaped) {
      return shaped.error();
    }
    std::memset(tensor->pointer(), static_cast<int>(number), number);
    return ToResultCode(out_->publish(message.value(), static_cast<int64_t>(1000 + number)));
  }

 private:
  Parameter<Handle<Transmitter>> out_;
  Parameter<Handle<Allocator>> allocator_;
};

/// Notes the words that come, and fails when a tensor or time does not go with them.
class Sink : public Codelet {
 public:
  gxf_result_t registerInterface(Registrar* registrar) override {
    return ToResultCode(registrar->parameter(in_, "in", "Input", ""));
  }
  gxf_result_t tick() override {
    const auto message = in_->receive();
    if (!message) {
      return message.error();
    }
    const auto word = message.value().get<Word>("word");
    const auto tensor = message.value().get<Tensor>("numbers");
    const auto time = message.value().get<Timestamp>("timestamp");
    if (!word || !tensor || !time) {
      return GXF_INVALID_DATA_FORMAT;
    }
    const std::string& text = word.value()->text;
    if (tensor.value()->size() != text.size() || *tensor.value()->pointer() != text.size() ||
        time.value()->acqtime != static_cast<int64_t>(1000 + text.size())) {
      return GXF_INVALID_DATA_FORMAT;
    }
    seen.words.push_back(text);
    return GXF_SUCCESS;
  }

 private:
  Parameter<Handle<Receiver>> in_;
};

/// Writes and reads words.
class WordSerializer : public ComponentSerializer {
 public:
  gxf_result_t initialize() override {
    Expected<void> result;
    result &= setSerializer<Word>([](void* part, Endpoint* endpoint) -> Expected<size_t> {
      const std::string& text = static_cast<Word*>(part)->text;
      const uint64_t size = text.size();
      const auto first = endpoint->writeTrivialType(&size);
      const auto second = endpoint->write(text.data(), text.size());
      if (!first || !second) {
        return ForwardError(first ? second : first);
      }
      return first.value() + second.value();
    });
    result &= setDeserializer<Word>([](void* part, Endpoint* endpoint) -> Expected<void> {
      uint64_t size = 0;
      const auto first = endpoint->readTrivialType(&size);
      if (!first || size > 100) {
        return Unexpected{GXF_INVALID_DATA_FORMAT};
      }
      std::string& text = static_cast<Word*>(part)->text;
      text.resize(size);
      return endpoint->read(text.data(), text.size()).substitute(Success);
    });
    return ToResultCode(result);
  }
};

/// Writes the number of words in a message and the words, by way of a component serializer.
class WordsOnly : public EntitySerializer {
 public:
  gxf_result_t registerInterface(Registrar* registrar) override {
    Expected<void> result;
    result &= registrar->parameter(words_, "words", "Writes words", "");
    result &= registrar->parameter(rest_, "rest", "Writes the rest", "");
    return ToResultCode(result);
  }
  Expected<Entity> deserialize_entity_header_abi(Endpoint*) override {
    return Unexpected{GXF_NOT_IMPLEMENTED};
  }
  gxf_result_t serialize_entity_abi(gxf_uid_t eid, Endpoint* endpoint, uint64_t* size) override {
    auto entity = Entity::Shared(context(), eid);
    *size = 0;
    for (const char* name : {"word", "numbers", "timestamp"}) {
      auto part = entity.value().get(GxfTidNull(), name);
      if (!part) {
        return part.error();
      }
      const Handle<ComponentSerializer> serializer =
          words_->isSupported(part.value().tid()) ? words_.get() : rest_.get();
      const gxf_tid_t tid = part.value().tid();
      const auto head = endpoint->writeTrivialType(&tid);
      const auto body = serializer->serializeComponent(part.value(), endpoint);
      if (!head || !body) {
        return GXF_FAILURE;
      }
      *size += head.value() + body.value();
    }
    return GXF_SUCCESS;
  }
  gxf_result_t deserialize_entity_abi(gxf_uid_t eid, Endpoint* endpoint) override {
    auto entity = Entity::Shared(context(), eid);
    for (const char* name : {"word", "numbers", "timestamp"}) {
      gxf_tid_t tid = GxfTidNull();
      if (!endpoint->readTrivialType(&tid)) {
        return GXF_FAILURE;
      }
      auto part = entity.value().add(tid, name);
      if (!part) {
        return part.error();
      }
      const Handle<ComponentSerializer> serializer =
          words_->isSupported(tid) ? words_.get() : rest_.get();
      const auto read = serializer->deserializeComponent(part.value(), endpoint);
      if (!read) {
        return read.error();
      }
    }
    return GXF_SUCCESS;
  }

 private:
  Parameter<Handle<ComponentSerializer>> words_;
  Parameter<Handle<StdComponentSerializer>> rest_;
};

/// Passes messages through an endpoint, as bytes.
class Loop : public Codelet {
 public:
  gxf_result_t registerInterface(Registrar* registrar) override {
    Expected<void> result;
    result &= registrar->parameter(in_, "in", "Input", "");
    result &= registrar->parameter(out_, "out", "Output", "");
    result &= registrar->parameter(serializer_, "serializer", "Serializer", "");
    result &= registrar->parameter(endpoint_, "endpoint", "Endpoint", "");
    result &= registrar->parameter(into_, "into", "Reads into a message that is there", "", false);
    return ToResultCode(result);
  }
  gxf_result_t tick() override {
    const auto message = in_->receive();
    if (!message) {
      return message.error();
    }
    const auto size = serializer_->serializeEntity(message.value(), endpoint_.get());
    if (!size || size.value() == 0) {
      return GXF_FAILURE;
    }
    if (into_) {
      auto entity = Entity::New(context());
      const auto read = serializer_->deserializeEntity(entity.value(), endpoint_.get());
      return read ? ToResultCode(out_->publish(entity.value())) : read.error();
    }
    const auto entity = serializer_->deserializeEntity(context(), endpoint_.get());
    return entity ? ToResultCode(out_->publish(entity.value())) : entity.error();
  }

 private:
  Parameter<Handle<Receiver>> in_;
  Parameter<Handle<Transmitter>> out_;
  Parameter<Handle<EntitySerializer>> serializer_;
  Parameter<Handle<Endpoint>> endpoint_;
  Parameter<bool> into_;
};

/// An endpoint that takes and gives seven bytes at a time.
class Trickle : public Endpoint {
 public:
  gxf_result_t is_read_available_abi() override {
    return bytes_.empty() ? GXF_FAILURE : GXF_SUCCESS;
  }
  gxf_result_t write_abi(const void* data, size_t size, size_t* bytes_written) override {
    *bytes_written = take_all_ ? size : std::min<size_t>(size, 7);
    bytes_.append(static_cast<const char*>(data), *bytes_written);
    return GXF_SUCCESS;
  }
  gxf_result_t read_abi(void* data, size_t size, size_t* bytes_read) override {
    *bytes_read = std::min({size, bytes_.size(), take_all_ ? size : std::size_t{7}});
    std::memcpy(data, bytes_.data(), *bytes_read);
    bytes_.erase(0, *bytes_read);
    return GXF_SUCCESS;
  }
  gxf_result_t registerInterface(Registrar* registrar) override {
    return ToResultCode(
        registrar->parameter(take_all_, "take_all", "Takes all at once", "", false));
  }

 private:
  Parameter<bool> take_all_;
  std::string bytes_;
};

/// Fails every second tick; says "running" when asked to.
class Unsteady : public Codelet {
 public:
  gxf_result_t registerInterface(Registrar* registrar) override {
    return ToResultCode(registrar->parameter(metric_, "metric", "Metric", ""));
  }
  gxf_result_t start() override { return ToResultCode(metric_->setSumAggregationFunction()); }
  gxf_result_t tick() override {
    const auto recorded = metric_->record(static_cast<double>(getExecutionCount()));
    if (!recorded) {
      return recorded.error();
    }
    switch (getExecutionCount()) {
      case 1:
        return GXF_NOT_FINISHED;
      case 2:
        return GXF_FAILURE;
      default:
        return GXF_SUCCESS;
    }
  }
  gxf_result_t stop() override {
    seen.lines.push_back("sum " + std::to_string(metric_->getAggregatedValue().value()) + " of " +
                         std::to_string(metric_->getLowerThreshold().value()) + ", success " +
                         std::to_string(metric_->evaluateSuccess().value()) + ", upper " +
                         GxfResultStr(metric_->getUpperThreshold().error()));
    seen.lines.push_back(GxfResultStr(metric_->setMaxAggregationFunction().error()));
    static_cast<void>(metric_->reset());
    seen.lines.push_back(GxfResultStr(metric_->getAggregatedValue().error()));
    return GXF_SUCCESS;
  }

 private:
  Parameter<Handle<Metric>> metric_;
};

class Patience : public Controller {
 public:
  gxf_controller_status_t control(gxf_uid_t eid, Expected<void> code) override {
    seen.lines.push_back(std::string("control ") + (eid == this->eid() ? "own " : "other ") +
                         (code ? "GXF_SUCCESS" : GxfResultStr(code.error())));
    if (code) {
      return {};
    }
    return code.error() == GXF_NOT_FINISHED
               ? gxf_controller_status_t(GXF_BEHAVIOR_RUNNING, GXF_EXECUTE_SUCCESS)
               : gxf_controller_status_t(GXF_BEHAVIOR_RUNNING, GXF_EXECUTE_FAILURE_REPEAT);
  }
};

class Watch : public Monitor {
 public:
  gxf_result_t on_execute_abi(gxf_uid_t eid, uint64_t timestamp, gxf_result_t code) override {
    seen.lines.push_back(
        "execution " +
        std::string(Entity::Shared(context(), eid) ? Entity::Shared(context(), eid)->name() : "?") +
        " at " + std::to_string(timestamp) + " " + GxfResultStr(code));
    return GXF_SUCCESS;
  }
};

/// The first of its terms counts.
class FirstTerm : public SchedulingTermCombiner {
 public:
  gxf_result_t registerInterface(Registrar* registrar) override {
    Expected<void> result;
    result &= registrar->parameter(first_, "first", "Term", "");
    result &= registrar->parameter(second_, "second", "Term", "");
    return ToResultCode(result);
  }
  SchedulingCondition combine(SchedulingCondition a, SchedulingCondition) override { return a; }
  FixedVector<Handle<SchedulingTerm>, kMaxComponents> getTermList() const override {
    FixedVector<Handle<SchedulingTerm>, kMaxComponents> terms;
    static_cast<void>(terms.push_back(first_.get()));
    static_cast<void>(terms.push_back(second_.get()));
    return terms;
  }

 private:
  Parameter<Handle<SchedulingTerm>> first_;
  Parameter<Handle<SchedulingTerm>> second_;
};

/// Says what it sees of the graph.
class Look : public Codelet {
 public:
  gxf_result_t registerInterface(Registrar* registrar) override {
    Expected<void> result;
    result &= registrar->parameter(connection_, "connection", "Connection", "");
    result &= registrar->parameter(topic_, "topic", "Topic", "");
    result &= registrar->parameter(thread_, "thread", "Thread", "");
    result &= registrar->parameter(either_, "either", "Combiner", "");
    result &= registrar->parameter(scheduler_, "scheduler", "Scheduler", "");
    result &= registrar->parameter(buffer_, "buffer", "Buffer", "");
    result &= registrar->parameter(monitor_, "monitor", "Monitor", "");
    return ToResultCode(result);
  }
  gxf_result_t tick() override {
    seen.lines.push_back(std::string(connection_->source().name()) + " to " +
                         connection_->target().name());
    seen.lines.push_back(std::string(topic_->getTopicName()) + " " +
                         topic_->getTransmitters().at(0).name() + " " +
                         topic_->getReceivers().at(0).name());
    seen.lines.push_back(thread_->pinned() ? "pinned" : "not pinned");
    const auto terms = either_->getTermList();
    const SchedulingCondition ready{SchedulingConditionType::READY, 0};
    const SchedulingCondition wait{SchedulingConditionType::WAIT, 0};
    seen.lines.push_back(std::to_string(terms.size()) + " terms, first " +
                         terms.at(0).value().name() + ", " +
                         SchedulingConditionTypeStr(either_->combine(wait, ready).type));
    seen.lines.push_back(GxfResultStr(scheduler_->stop_abi()));
    static_cast<void>(buffer_->write("abc", 3));
    seen.lines.push_back(std::to_string(buffer_->size()) + " of " +
                         std::to_string(buffer_->capacity()) + " bytes in storage " +
                         std::to_string(static_cast<int>(buffer_->storage_type())) + ": " +
                         std::string(reinterpret_cast<const char*>(buffer_->data()), 3));
    buffer_->reset();
    seen.lines.push_back(buffer_->isReadAvailable() ? "more" : "empty");
    seen.lines.push_back(GxfResultStr(monitor_->onExecute(1, 0, GXF_SUCCESS).error()));
    return GXF_SUCCESS;
  }

 private:
  Parameter<Handle<Connection>> connection_;
  Parameter<Handle<Topic>> topic_;
  Parameter<Handle<CPUThread>> thread_;
  Parameter<Handle<OrSchedulingTermCombiner>> either_;
  Parameter<Handle<Scheduler>> scheduler_;
  Parameter<Handle<SerializationBuffer>> buffer_;
  Parameter<Handle<Monitor>> monitor_;
};

gxf_result_t factory(void** result) {
  static DefaultExtension extension;
  static const gxf_result_t filled = [] {
    uint64_t number = 0;
    const auto tid = [&] { return gxf_tid_t{0x3a51b7d0c2e64f98, ++number}; };
    Expected<void> ok = extension.setInfo(tid(), "Test", "Serializers", "gxr", "1.0.0", "none");
    ok &= extension.add<Word>(tid(), "A word");
    ok &= extension.add<Source, Codelet>(tid(), "Sends words");
    ok &= extension.add<Sink, Codelet>(tid(), "Takes words");
    ok &= extension.add<WordSerializer, ComponentSerializer>(tid(), "Writes words");
    ok &= extension.add<WordsOnly, EntitySerializer>(tid(), "Writes messages");
    ok &= extension.add<Loop, Codelet>(tid(), "Makes bytes of messages");
    ok &= extension.add<Trickle, Endpoint>(tid(), "Takes few bytes at a time");
    ok &= extension.add<Unsteady, Codelet>(tid(), "Fails at times");
    ok &= extension.add<Patience, Controller>(tid(), "Goes on after failures");
    ok &= extension.add<Watch, Monitor>(tid(), "Notes executions");
    ok &= extension.add<FirstTerm, SchedulingTermCombiner>(tid(), "Takes the first term");
    ok &= extension.add<Look, Codelet>(tid(), "Looks at the graph");
    return ToResultCode(ok);
  }();
  *result = &extension;
  return filled;
}

/// Runs the application; "" or what went wrong.
std::string run(const std::string& yaml) {
  seen = {};
  gxr::Application application;
  application.types(gxr::provide_types("test", [](gxr::Extension& extension) {
    layer::RegisterExtension(extension, &factory, layer::kLayerFingerprint);
  }));
  application.load_text(yaml);
  if (!application.validate()) {
    return application.problems_text();
  }
  const gxr::Report report = application.run();
  return report.failures.empty() ? "" : gxr::describe(report.failures.front());
}

const std::string kScheduler = R"(
---
name: scheduler
components:
- {name: clock, type: nvidia::gxf::ManualClock}
- {type: nvidia::gxf::GreedyScheduler, parameters: {clock: clock}}
)";

const std::string kSource = R"(
name: source
components:
- {name: memory, type: nvidia::gxf::UnboundedAllocator}
- {name: out, type: nvidia::gxf::DoubleBufferTransmitter}
- {type: nvidia::gxf::serialization_run::Source, parameters: {out: out, allocator: memory}}
- {type: nvidia::gxf::CountSchedulingTerm, parameters: {count: 3}}
---
)";

const std::string kSink = R"(
---
name: sink
components:
- {name: in, type: nvidia::gxf::DoubleBufferReceiver}
- {type: nvidia::gxf::serialization_run::Sink, parameters: {in: in}}
- {type: nvidia::gxf::MessageAvailableSchedulingTerm, parameters: {receiver: in, min_size: 1}}
)";

/// The serializers that gxr's recorder and replayer get.
const std::string kStandard = R"(
- {name: memory, type: nvidia::gxf::UnboundedAllocator}
- {name: words, type: nvidia::gxf::serialization_run::WordSerializer}
- {name: rest, type: nvidia::gxf::StdComponentSerializer, parameters: {allocator: memory}}
- name: messages
  type: nvidia::gxf::StdEntitySerializer
  parameters: {component_serializers: [words, rest]}
)";
const std::string kOwn = R"(
- {name: memory, type: nvidia::gxf::UnboundedAllocator}
- {name: words, type: nvidia::gxf::serialization_run::WordSerializer}
- {name: rest, type: nvidia::gxf::StdComponentSerializer, parameters: {allocator: memory}}
- name: messages
  type: nvidia::gxf::serialization_run::WordsOnly
  parameters: {words: words, rest: rest}
)";

std::string recorder(const std::string& serializers, const std::string& folder) {
  return kSource + R"(name: recorder
components:
- {name: in, type: nvidia::gxf::DoubleBufferReceiver})" +
         serializers + R"(
- type: nvidia::gxf::EntityRecorder
  parameters: {receiver: in, entity_serializer: messages, directory: ")" +
         folder + R"(", basename: words}
- {type: nvidia::gxf::MessageAvailableSchedulingTerm, parameters: {receiver: in, min_size: 1}}
---
components:
- {type: nvidia::gxf::Connection, parameters: {source: source/out, target: recorder/in}}
)" + kScheduler;
}

std::string replayer(const std::string& serializers, const std::string& folder) {
  return R"(name: replayer
components:
- {name: out, type: nvidia::gxf::DoubleBufferTransmitter}
- {name: more, type: nvidia::gxf::BooleanSchedulingTerm})" +
         serializers + R"(
- type: nvidia::gxf::EntityReplayer
  parameters:
    transmitter: out
    entity_serializer: messages
    boolean_scheduling_term: more
    directory: ")" +
         folder + R"("
    basename: words
    batch_size: 1
    ignore_corrupted_entities: false)" +
         kSink + R"(---
components:
- {type: nvidia::gxf::Connection, parameters: {source: replayer/out, target: sink/in}}
)" + kScheduler;
}

/// A Loop between the source and the sink.
std::string loop(const std::string& serializers, const std::string& endpoint,
                 const std::string& into) {
  return kSource + R"(name: loop
components:
- {name: in, type: nvidia::gxf::DoubleBufferReceiver}
- {name: out, type: nvidia::gxf::DoubleBufferTransmitter})" +
         serializers + "- " + endpoint + R"(
- type: nvidia::gxf::serialization_run::Loop
  parameters: {in: in, out: out, serializer: messages, endpoint: endpoint, into: )" +
         into + R"(}
- {type: nvidia::gxf::MessageAvailableSchedulingTerm, parameters: {receiver: in, min_size: 1}})" +
         kSink + R"(---
components:
- {type: nvidia::gxf::Connection, parameters: {source: source/out, target: loop/in}}
- {type: nvidia::gxf::Connection, parameters: {source: loop/out, target: sink/in}}
)" + kScheduler;
}

const std::vector<std::string> kWords = {"a", "bb", "ccc"};

TEST_CASE("Serializers of sources work inside gxr's recorder and replayer", "[gxf_layer]") {
  for (const std::string& serializers : {kStandard, kOwn}) {
    const TemporaryFolder folder;
    CHECK(run(recorder(serializers, folder.path())).empty());
    CHECK(run(replayer(serializers, folder.path())).empty());
    CHECK(seen.words == kWords);
  }
}

TEST_CASE("The ids in a recording are those that the extension registered", "[gxf_layer]") {
  const TemporaryFolder folder;
  REQUIRE(run(recorder(kStandard, folder.path())).empty());
  const std::string bytes = gxr::test::read_bytes(folder.path() / "words.gxf_entities");
  uint64_t hashes[2] = {};
  std::memcpy(hashes, bytes.data() + 40 + 8, sizeof(hashes));
  CHECK(hashes[0] == 0x3a51b7d0c2e64f98);
  CHECK(hashes[1] == 2);
  CHECK(bytes.compare(40 + 32, 4, "word") == 0);
}

TEST_CASE("Bytes that a serializer of a source refuses are damaged", "[gxf_layer]") {
  const TemporaryFolder folder;
  REQUIRE(run(recorder(kStandard, folder.path())).empty());
  std::string bytes = gxr::test::read_bytes(folder.path() / "words.gxf_entities");
  bytes[40 + 32 + 4] = '\x70';  // the size of the first word
  static_cast<void>(folder.write("words.gxf_entities", bytes));
  const std::string text = run(replayer(kStandard, folder.path()));
  CHECK(text.find("deserialize_component_abi() of part 'word' returned GXF_INVALID_DATA_FORMAT") !=
        std::string::npos);
  CHECK(text.find("entity 0") != std::string::npos);
}

TEST_CASE("Sources use serializers and endpoints of gxr and of each other", "[gxf_layer]") {
  const std::string buffer =
      "{name: endpoint, type: nvidia::gxf::SerializationBuffer, parameters: {allocator: memory}}";
  const std::string trickle = "{name: endpoint, type: nvidia::gxf::serialization_run::Trickle}";
  const std::string whole =
      "{name: endpoint, type: nvidia::gxf::serialization_run::Trickle, parameters: {take_all: "
      "true}}";
  CHECK(run(loop(kStandard, buffer, "false")).empty());
  CHECK(seen.words == kWords);
  CHECK(run(loop(kStandard, buffer, "true")).empty());
  CHECK(seen.words == kWords);
  // gxr goes on until all bytes are taken.
  CHECK(run(loop(kStandard, trickle, "false")).empty());
  CHECK(seen.words == kWords);
  CHECK(run(loop(kOwn, whole, "false")).empty());
  CHECK(seen.words == kWords);
  CHECK(run(loop(kOwn, whole, "true")).empty());
  CHECK(seen.words == kWords);
}

TEST_CASE("A controller of a source decides, a monitor watches, a metric counts", "[gxf_layer]") {
  CHECK(run(R"(
name: unsteady
components:
- {name: metric, type: nvidia::gxf::Metric, parameters: {lower_threshold: 6.0}}
- {type: nvidia::gxf::serialization_run::Unsteady, parameters: {metric: metric}}
- {type: nvidia::gxf::serialization_run::Patience}
- {type: nvidia::gxf::CountSchedulingTerm, parameters: {count: 9}}
---
components:
- {type: nvidia::gxf::serialization_run::Watch}
)" + kScheduler)
            .empty());
  CHECK(seen.lines == std::vector<std::string>{
                          "execution unsteady at 0 GXF_NOT_FINISHED",
                          "control own GXF_NOT_FINISHED", "execution unsteady at 0 GXF_FAILURE",
                          "control own GXF_FAILURE", "execution unsteady at 0 GXF_SUCCESS",
                          "control own GXF_SUCCESS",
                          "sum 6.000000 of 6.000000, success 1, upper GXF_UNINITIALIZED_VALUE",
                          "GXF_INVALID_LIFECYCLE_STAGE", "GXF_UNINITIALIZED_VALUE"});
}

TEST_CASE("A combiner of a source takes terms together", "[gxf_layer]") {
  // Both terms are counted down; the second would have ended the run after one tick.
  CHECK(run(kSource.substr(0, kSource.find("- {type: nvidia::gxf::CountSchedulingTerm")) + R"(
- {name: three, type: nvidia::gxf::CountSchedulingTerm, parameters: {count: 3}}
- {name: one, type: nvidia::gxf::CountSchedulingTerm, parameters: {count: 1}}
- {type: nvidia::gxf::serialization_run::FirstTerm, parameters: {first: three, second: one}}
)" + kSink + R"(---
components:
- {type: nvidia::gxf::Connection, parameters: {source: source/out, target: sink/in}}
)" + kScheduler)
            .empty());
  CHECK(seen.words == kWords);
}

TEST_CASE("Sources see connections, topics, threads, schedulers and buffers", "[gxf_layer]") {
  CHECK(run(R"(
name: look
components:
- {name: memory, type: nvidia::gxf::UnboundedAllocator}
- {name: tx, type: nvidia::gxf::DoubleBufferTransmitter}
- {name: rx, type: nvidia::gxf::DoubleBufferReceiver}
- {name: topic_tx, type: nvidia::gxf::DoubleBufferTransmitter}
- {name: topic_rx, type: nvidia::gxf::DoubleBufferReceiver}
- {name: connection, type: nvidia::gxf::Connection, parameters: {source: tx, target: rx}}
- name: news
  type: nvidia::gxf::Topic
  parameters: {transmitters: [topic_tx], receivers: [topic_rx]}
- {name: thread, type: nvidia::gxf::CPUThread, parameters: {pin_entity: true}}
- {name: once, type: nvidia::gxf::CountSchedulingTerm, parameters: {count: 1}}
- {name: never, type: nvidia::gxf::BooleanSchedulingTerm, parameters: {enable_tick: false}}
- {name: either, type: nvidia::gxf::OrSchedulingTermCombiner, parameters: {terms: [once, never]}}
- name: buffer
  type: nvidia::gxf::SerializationBuffer
  parameters: {allocator: memory, buffer_size: 64}
- {name: clock, type: nvidia::gxf::ManualClock}
- {name: jobs, type: nvidia::gxf::JobStatistics, parameters: {clock: clock}}
- {name: greedy, type: nvidia::gxf::GreedyScheduler, parameters: {clock: clock}}
- type: nvidia::gxf::serialization_run::Look
  parameters:
    connection: connection
    topic: news
    thread: thread
    either: either
    scheduler: greedy
    buffer: buffer
    monitor: jobs
)")
            .empty());
  CHECK(seen.lines == std::vector<std::string>{"tx to rx", "news topic_tx topic_rx", "pinned",
                                               "2 terms, first once, Ready", "GXF_NOT_IMPLEMENTED",
                                               "3 of 64 bytes in storage 2: abc", "empty",
                                               "GXF_NOT_IMPLEMENTED"});
}

}  // namespace nvidia::gxf::serialization_run
