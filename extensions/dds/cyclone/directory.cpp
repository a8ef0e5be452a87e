#include "dds/cyclone/directory.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <pthread.h>

#include "dds/cyclone/quality_settings.hpp"

namespace gxr::dds {
namespace {

Guid guid_of(const dds_guid_t& guid) {
  Guid result{};
  std::copy(std::begin(guid.v), std::end(guid.v), result.begin());
  return result;
}

std::string property(const dds_qos_t* settings, const char* name) {
  char* value = nullptr;
  if (settings == nullptr || !dds_qget_prop(settings, name, &value) || value == nullptr) {
    return {};
  }
  std::string text(value);
  dds_free(value);
  return text;
}

/// "gxr 4711 at robot", as far as its properties tell.
std::string process_of(const dds_qos_t* settings) {
  std::string text = property(settings, "__ProcessName");
  text = text.substr(text.rfind('/') + 1);
  if (const std::string process = property(settings, "__Pid"); !process.empty()) {
    text += (text.empty() ? "process " : " ") + process;
  }
  if (const std::string host = property(settings, "__Hostname"); !host.empty() && !text.empty()) {
    text += " at " + host;
  }
  return text;
}

std::string entity_name(const dds_qos_t* settings) {
  char* name = nullptr;
  if (!dds_qget_entity_name(settings, &name) || name == nullptr) {
    return {};
  }
  std::string text(name);
  dds_free(name);
  return text;
}

/// Calls `take` with each sample of a built-in topic, and whether that is still there.
template <class T, class Take>
void take_all(dds_entity_t reader, const Take& take) {
  constexpr std::uint32_t kAtOnce = 16;
  for (dds_return_t count = kAtOnce; count > 0;) {
    void* samples[kAtOnce] = {};
    dds_sample_info_t infos[kAtOnce];
    count = dds_take(reader, samples, infos, kAtOnce, kAtOnce);
    for (dds_return_t i = 0; i < count; ++i) {
      take(*static_cast<const T*>(samples[i]),
           infos[i].instance_state == DDS_IST_ALIVE && infos[i].valid_data);
    }
    if (count > 0) {
      dds_return_loan(reader, samples, count);
    }
  }
}

}  // namespace

Directory::Directory(dds_entity_t participant) {
  dds_guid_t guid{};
  check(dds_get_guid(participant, &guid), "be a participant");
  own_ = guid_of(guid);
  const auto reader = [&](dds_entity_t topic) {
    return Entity(check(dds_create_reader(participant, topic, nullptr, nullptr),
                        "hear of others in the domain"));
  };
  participants_ = reader(DDS_BUILTIN_TOPIC_DCPSPARTICIPANT);
  writers_ = reader(DDS_BUILTIN_TOPIC_DCPSPUBLICATION);
  readers_ = reader(DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION);
  wake_ = Entity(check(dds_create_guardcondition(participant), "make a condition"));
  events_ = Entity(check(dds_create_waitset(participant), "make a set of conditions"));
  for (const Entity* each : {&participants_, &writers_, &readers_}) {
    check(dds_set_status_mask(each->get(), DDS_DATA_AVAILABLE_STATUS), "wait for others");
    check(dds_waitset_attach(events_.get(), each->get(), 0), "wait for others");
  }
  check(dds_waitset_attach(events_.get(), wake_.get(), 0), "wait for others");
  thread_ = std::thread([this] { run(); });
}

Directory::~Directory() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  dds_set_guardcondition(wake_.get(), true);
  thread_.join();
}

void Directory::run() {
  ::pthread_setname_np(::pthread_self(), "dds directory");
  for (bool goes_on = true; goes_on;) {
    dds_set_guardcondition(wake_.get(), false);
    read_participants();
    read_endpoints(writers_.get(), true);
    read_endpoints(readers_.get(), false);
    welcome_new_listeners();
    goes_on = !has_ended() && dds_waitset_wait(events_.get(), nullptr, 0, DDS_INFINITY) >= 0;
  }
}

bool Directory::has_ended() const {
  const std::lock_guard lock(mutex_);
  return ends_;
}

void Directory::read_participants() {
  take_all<dds_builtintopic_participant_t>(
      participants_.get(), [&](const dds_builtintopic_participant_t& sample, bool is_there) {
        if (is_there) {
          processes_[guid_of(sample.key)] = process_of(sample.qos);
        } else {
          processes_.erase(guid_of(sample.key));
        }
      });
}

void Directory::read_endpoints(dds_entity_t reader, bool writes) {
  take_all<dds_builtintopic_endpoint_t>(
      reader, [&](const dds_builtintopic_endpoint_t& sample, bool is_there) {
        if (!is_there) {
          return remove(guid_of(sample.key));
        }
        Endpoint endpoint;
        endpoint.guid = guid_of(sample.key);
        endpoint.participant = guid_of(sample.participant_key);
        endpoint.writes = writes;
        endpoint.is_own = endpoint.participant == own_;
        endpoint.topic = sample.topic_name;
        endpoint.type = sample.type_name;
        endpoint.type_hash = type_hash_of(sample.qos);
        endpoint.name = entity_name(sample.qos);
        if (!processes_.contains(endpoint.participant)) {
          read_participants();
        }
        endpoint.process = processes_[endpoint.participant];
        endpoint.qualities = qualities_of(sample.qos);
        add(std::move(endpoint), type_id_of(sample));
      });
}

void Directory::add(Endpoint endpoint, TypeId type) {
  {
    const std::lock_guard lock(mutex_);
    if (type != nullptr) {
      types_.insert_or_assign(endpoint.guid, std::move(type));
    }
    endpoints_.insert_or_assign(endpoint.guid, endpoint);
  }
  tell(endpoint, true);
}

void Directory::remove(const Guid& guid) {
  Endpoint gone;
  {
    const std::lock_guard lock(mutex_);
    const auto found = endpoints_.find(guid);
    if (found == endpoints_.end()) {
      return;
    }
    gone = std::move(found->second);
    endpoints_.erase(found);
    types_.erase(guid);
  }
  tell(gone, false);
}

/// Those that have ended are forgotten.
void Directory::tell(const Endpoint& endpoint, bool is_there) {
  std::erase_if(told_, [&](EndpointListener* const listener) {
    return !listeners_.call(listener, [&] { listener->on_endpoint(endpoint, is_there); });
  });
}

void Directory::welcome_new_listeners() {
  std::vector<EndpointListener*> arrived;
  {
    const std::lock_guard lock(mutex_);
    arrived.swap(new_listeners_);
  }
  if (arrived.empty()) {
    return;
  }
  const std::vector<Endpoint> all = endpoints();  // only this thread changes them
  for (EndpointListener* const listener : arrived) {
    for (const Endpoint& endpoint : all) {
      listeners_.call(listener, [&] { listener->on_endpoint(endpoint, true); });
    }
    std::erase(told_, listener);  // one that was at the same address before
    told_.push_back(listener);
  }
}

void Directory::watch(EndpointListener& listener) {
  listeners_.begin(&listener);
  {
    const std::lock_guard lock(mutex_);
    new_listeners_.push_back(&listener);
  }
  dds_set_guardcondition(wake_.get(), true);
}

void Directory::unwatch(EndpointListener& listener) {
  {
    const std::lock_guard lock(mutex_);
    std::erase(new_listeners_, &listener);
  }
  listeners_.end(&listener);
}

TypeId Directory::type_of(const Guid& end) const {
  const std::lock_guard lock(mutex_);
  const auto found = types_.find(end);
  return found == types_.end() ? nullptr : found->second;
}

std::vector<Endpoint> Directory::endpoints() const {
  const std::lock_guard lock(mutex_);
  std::vector<Endpoint> all;
  for (const auto& [guid, endpoint] : endpoints_) {
    all.push_back(endpoint);
  }
  return all;
}

}  // namespace gxr::dds
