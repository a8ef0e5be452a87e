#pragma once

#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "dds/cyclone/calls.hpp"
#include "dds/cyclone/entity.hpp"
#include "dds/cyclone/remote_definition.hpp"
#include "dds/transport.hpp"

namespace gxr::dds {

/// All ends of topics of a domain, as the library hears of them, on a thread of its own.
class Directory {
 public:
  /// Throws Error(InputOutput).
  explicit Directory(dds_entity_t participant);
  ~Directory();

  void watch(EndpointListener& listener);
  void unwatch(EndpointListener& listener);
  [[nodiscard]] std::vector<Endpoint> endpoints() const;
  /// By which an end that is there names the definition of its type; nullptr: it does not.
  [[nodiscard]] TypeId type_of(const Guid& end) const;

 private:
  void run();
  void read_participants();
  void read_endpoints(dds_entity_t reader, bool writes);
  void add(Endpoint endpoint, TypeId type);
  void remove(const Guid& guid);
  void tell(const Endpoint& endpoint, bool is_there);
  void welcome_new_listeners();
  [[nodiscard]] bool has_ended() const;

  Guid own_{};
  std::map<Guid, std::string> processes_;  // of participants; of the thread
  Entity participants_;
  Entity writers_;
  Entity readers_;
  Entity wake_;
  Entity events_;

  std::vector<EndpointListener*> told_;  // of the thread: they have heard of all ends
  Calls<EndpointListener*> listeners_;

  mutable std::mutex mutex_;  // guards what follows; not held while listeners are called
  std::map<Guid, Endpoint> endpoints_;
  std::map<Guid, TypeId> types_;  // of those that tell one
  std::vector<EndpointListener*> new_listeners_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace gxr::dds
