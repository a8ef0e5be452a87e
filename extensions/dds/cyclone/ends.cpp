#include "dds/cyclone/ends.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "dds/cyclone/iceoryx.hpp"
#include "dds/cyclone/quality_settings.hpp"
#include "dds/cyclone/sample_type.hpp"
#include "gxr/error.hpp"

namespace gxr::dds {
namespace {

/// Programs do not agree how samples of ROS 2 lie in shared memory, and of those that are kept for
/// late joiners, Cyclone DDS loses some there: they come before it knows their writer.
bool may_share(bool shares_memory, const EndpointOptions& options) {
  return shares_memory && !options.type->is_ros() &&
         options.qualities.durability == Durability::Volatile;
}

/// The topic, and the publisher or subscriber that has the partitions, which an end needs.
struct Place {
  Entity topic;
  Entity group;
  const ddsi_sertype* type = nullptr;
};

Place make_place(dds_entity_t participant, bool shares_memory, const EndpointOptions& options,
                 bool writes) {
  Place place;
  ddsi_sertype* type = make_sample_type(*options.type, may_share(shares_memory, options));
  const dds_entity_t topic = dds_create_topic_sertype(participant, options.topic.c_str(), &type,
                                                      nullptr, nullptr, nullptr);
  if (topic < 0) {
    ddsi_sertype_unref(type);
  }
  place.topic = Entity(check(topic, "make the topic '" + options.topic + "'"));
  place.type = type;
  const QualitiesHandle settings(dds_create_qos());
  if (const auto& partitions = options.qualities.partitions; !partitions.empty()) {
    std::vector<const char*> names;
    for (const std::string& name : partitions) {
      names.push_back(name.c_str());
    }
    dds_qset_partition(settings.get(), static_cast<std::uint32_t>(names.size()), names.data());
  }
  place.group = Entity(check(writes ? dds_create_publisher(participant, settings.get(), nullptr)
                                    : dds_create_subscriber(participant, settings.get(), nullptr),
                             "use these partitions"));
  return place;
}

/// Counts the readers of a topic in this process: one sample goes to all of them.
std::shared_ptr<std::atomic<int>> sharers_of(dds_entity_t participant, const std::string& topic) {
  static std::mutex mutex;
  static auto& counts =
      *new std::map<std::pair<dds_entity_t, std::string>, std::weak_ptr<std::atomic<int>>>;
  const std::lock_guard lock(mutex);
  std::erase_if(counts, [](const auto& each) { return each.second.expired(); });
  std::weak_ptr<std::atomic<int>>& known = counts[{participant, topic}];
  std::shared_ptr<std::atomic<int>> count = known.lock();
  if (count == nullptr) {
    count = std::make_shared<std::atomic<int>>(0);
    known = count;
  }
  return count;
}

std::int64_t end_of_life(std::int64_t time, std::int64_t lifespan) {
  constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
  return time > kLast - lifespan ? kLast : time + lifespan;
}

class CycloneReader final : public Reader {
 public:
  CycloneReader(dds_entity_t participant, bool shares_memory, const EndpointOptions& options,
                ReaderListener& listener)
      : place_(make_place(participant, shares_memory, options, false)),
        listener_(listener),
        calls_(dds_create_listener(&listener)),
        sharers_(sharers_of(participant, options.topic)) {
    ++*sharers_;
    dds_lset_data_available(
        calls_.get(), [](dds_entity_t, void* to) { static_cast<ReaderListener*>(to)->on_data(); });
    dds_lset_requested_deadline_missed(
        calls_.get(),
        [](dds_entity_t, const dds_requested_deadline_missed_status_t status, void* to) {
          static_cast<ReaderListener*>(to)->on_deadline_missed(
              static_cast<std::uint32_t>(std::max(status.total_count_change, 0)));
        });
    dds_lset_subscription_matched(
        calls_.get(), [](dds_entity_t, const dds_subscription_matched_status_t status, void* to) {
          static_cast<ReaderListener*>(to)->on_matched(status.current_count);
        });
    const QualitiesHandle settings = settings_of(options, false);
    reader_ = Entity(
        check(dds_create_reader(place_.group.get(), place_.topic.get(), settings.get(), nullptr),
              "make a reader of the topic '" + options.topic + "'"));
  }

  void listen() override {
    check(dds_set_listener(reader_.get(), calls_.get()), "listen to a reader");
    listener_.on_data();  // what came before
    dds_subscription_matched_status_t status{};
    if (dds_get_subscription_matched_status(reader_.get(), &status) == DDS_RETCODE_OK) {
      listener_.on_matched(status.current_count);
    }
  }

  ~CycloneReader() override {
    dds_set_listener(reader_.get(), nullptr);
    --*sharers_;
  }

  bool take(std::size_t most, std::vector<Received>& samples) override {
    constexpr std::size_t kAtOnce = 8;
    ddsi_serdata* data[kAtOnce] = {};
    dds_sample_info_t infos[kAtOnce];
    const auto wanted = static_cast<std::uint32_t>(std::min(most, kAtOnce));
    const dds_return_t count = dds_takecdr(reader_.get(), data, wanted, infos, DDS_ANY_STATE);
    for (dds_return_t i = 0; i < count; ++i) {
      const std::unique_ptr<ddsi_serdata, void (*)(ddsi_serdata*)> owned(data[i],
                                                                         &ddsi_serdata_unref);
      add(data[i], infos[i], samples);
    }
    return count == static_cast<dds_return_t>(wanted);
  }

 private:
  /// Those that come and go are many in a long run.
  static constexpr std::size_t kMostWriters = 4096;
  struct KnownWriter {
    Guid guid{};
    std::int64_t lifespan = 0;  ///< ns; 0: for ever
  };

  void add(ddsi_serdata* data, const dds_sample_info_t& info, std::vector<Received>& samples) {
    if (!info.valid_data || data->kind != SDK_DATA) {
      return;
    }
    auto& sample = *static_cast<StoredSample*>(data);
    const KnownWriter writer = writer_of(info.publication_handle);
    Received received{nullptr,     writer.guid,      sample.number, info.source_timestamp,
                      sample.flaw, sample.was_shared};
    received.expires =
        writer.lifespan > 0 ? end_of_life(info.source_timestamp, writer.lifespan) : 0;
    if (sample.flaw.empty()) {
      received.bytes = bytes_of(sample);
    }
    if (received.bytes != nullptr || !sample.flaw.empty()) {
      samples.push_back(std::move(received));
    }
  }

  /// The memory of a sample that nobody else will ask for, or a share in it. Null: it was another
  /// reader's, when this one was being made.
  SharedBytes bytes_of(StoredSample& sample) const {
    return !sample.is_own && *sharers_ == 1 ? std::move(sample.bytes) : sample.bytes;
  }

  KnownWriter writer_of(dds_instance_handle_t handle) {
    const auto known = writers_.find(handle);
    if (known != writers_.end()) {
      return known->second;
    }
    KnownWriter writer;
    dds_builtintopic_endpoint_t* const endpoint =
        dds_get_matched_publication_data(reader_.get(), handle);
    if (endpoint == nullptr) {  // it is gone already
      std::memcpy(writer.guid.data(), &handle, sizeof(handle));
      return writer;
    }
    std::copy(std::begin(endpoint->key.v), std::end(endpoint->key.v), writer.guid.begin());
    dds_duration_t lifespan = 0;
    if (dds_qget_lifespan(endpoint->qos, &lifespan) && lifespan != DDS_INFINITY) {
      writer.lifespan = lifespan;
    }
    dds_builtintopic_free_endpoint(endpoint);
    if (writers_.size() >= kMostWriters) {
      writers_.clear();
    }
    return writers_[handle] = writer;
  }

  Place place_;
  ReaderListener& listener_;
  ListenerHandle calls_;
  std::shared_ptr<std::atomic<int>> sharers_;
  std::map<dds_instance_handle_t, KnownWriter> writers_;
  Entity reader_;
};

class CycloneWriter final : public Writer {
 public:
  CycloneWriter(dds_entity_t participant, bool shares_memory, const EndpointOptions& options,
                WriterListener& listener)
      : place_(make_place(participant, shares_memory, options, true)),
        topic_(options.topic),
        keeps_all_(options.qualities.depth == 0),
        max_blocking_(options.qualities.max_blocking) {
    const ListenerHandle calls(dds_create_listener(&listener));
    dds_lset_offered_deadline_missed(
        calls.get(), [](dds_entity_t, const dds_offered_deadline_missed_status_t status, void* to) {
          static_cast<WriterListener*>(to)->on_deadline_missed(
              static_cast<std::uint32_t>(std::max(status.total_count_change, 0)));
        });
    dds_lset_publication_matched(
        calls.get(), [](dds_entity_t, const dds_publication_matched_status_t status, void* to) {
          static_cast<WriterListener*>(to)->on_matched(status.current_count);
        });
    const QualitiesHandle settings = settings_of(options, true);
    writer_ = Entity(check(
        dds_create_writer(place_.group.get(), place_.topic.get(), settings.get(), calls.get()),
        "make a writer of the topic '" + options.topic + "'"));
    uses_shared_memory_ = shares_memory && can_share(writer_.get());
  }
  ~CycloneWriter() override { dds_set_listener(writer_.get(), nullptr); }

  bool write(const SharedBytes& bytes, std::int64_t time) override {
    if (keeps_all_ && !make_room()) {
      return false;
    }
    if (uses_shared_memory_) {
      return share(bytes, time);
    }
    StoredSample* const sample = make_stored_sample(*place_.type, bytes);
    sample->number = ++written_;
    sample->timestamp.v = time;
    const dds_return_t result = dds_forwardcdr(writer_.get(), sample);
    if (result == DDS_RETCODE_TIMEOUT) {
      --written_;
      return false;
    }
    if (result < 0) {
      check(result, "write to the topic '" + topic_ + "'");
    }
    return true;
  }

  bool wait_for_readers(std::chrono::nanoseconds limit) override {
    return dds_wait_for_acks(writer_.get(), limit.count()) == DDS_RETCODE_OK;
  }

 private:
  /// False: all pieces of shared memory were in use for max_blocking.
  bool share(const SharedBytes& bytes, std::int64_t time) {
    const SampleToShare sample{bytes, written_ + 1};
    const std::string action = "write to the topic '" + topic_ + "'";
    const auto end = std::chrono::steady_clock::now() + max_blocking_;
    Shared result = write_shared(writer_.get(), sample, time, action);
    while (result == Shared::AllInUse && std::chrono::steady_clock::now() < end) {
      result = write_shared(writer_.get(), sample, time, action);
    }
    if (result == Shared::TooLarge) {
      throw Error(ErrorCode::OutOfMemory,
                  "a sample on the topic '" + topic_ + "' has " +
                      std::to_string(bytes->wire_size()) +
                      " bytes, and the memory of iox-roudi is in smaller pieces: give it larger "
                      "ones in its configuration, or leave 'shared_memory' off");
    }
    written_ += result == Shared::Done ? 1 : 0;
    return result == Shared::Done;
  }

  /// For one sample more among those that readers do not have, of which Cyclone DDS bounds only the
  /// bytes. False: not within max_blocking.
  bool make_room() {
    if (const bool is_full = under_way_ >= kMostUnderWay; is_full || under_way_ >= kFewUnderWay) {
      if (wait_for_readers(is_full ? max_blocking_ : std::chrono::nanoseconds(0))) {
        under_way_ = 0;
      } else if (is_full) {
        return false;
      }
    }
    ++under_way_;
    return true;
  }

  /// Samples from which on a writer sees each time if readers have them all: acknowledgements come
  /// some 20 ms apart, and at a high rate they have all only for a moment.
  static constexpr std::int32_t kFewUnderWay = 32;

  Place place_;
  std::string topic_;
  bool keeps_all_;
  bool uses_shared_memory_ = false;
  std::chrono::nanoseconds max_blocking_;
  std::int32_t under_way_ = 0;  // since readers had all
  std::uint64_t written_ = 0;
  Entity writer_;
};

}  // namespace

std::unique_ptr<Reader> make_reader(dds_entity_t participant, bool shares_memory,
                                    const EndpointOptions& options, ReaderListener& listener) {
  return std::make_unique<CycloneReader>(participant, shares_memory, options, listener);
}

std::unique_ptr<Writer> make_writer(dds_entity_t participant, bool shares_memory,
                                    const EndpointOptions& options, WriterListener& listener) {
  return std::make_unique<CycloneWriter>(participant, shares_memory, options, listener);
}

}  // namespace gxr::dds
