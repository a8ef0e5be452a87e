// Entry of dds_cyclone.so.

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dds/dds.h>
#include <dlfcn.h>

#include "dds/cyclone/calls.hpp"
#include "dds/cyclone/configuration.hpp"
#include "dds/cyclone/directory.hpp"
#include "dds/cyclone/ends.hpp"
#include "dds/cyclone/entity.hpp"
#include "dds/cyclone/iceoryx.hpp"
#include "dds/cyclone/remote_definition.hpp"
#include "dds/repeated_texts.hpp"
#include "dds/transport.hpp"
#include "gxr/error.hpp"

namespace gxr::dds {
namespace {

/// Receives what Cyclone DDS has to say, and gives it to one of those who want to hear it.
class Logs {
 public:
  Logs() {
    dds_set_log_sink(
        [](void* self, const dds_log_data_t* data) { static_cast<Logs*>(self)->tell(*data); },
        this);
  }

  using Log = const LibraryLog*;
  /// `log` must stay until remove() has returned.
  void add(Log log) { logs_.begin(log); }
  void remove(Log log) { logs_.end(log); }

 private:
  void tell(const dds_log_data_t& data) {
    if ((data.priority & (DDS_LC_FATAL | DDS_LC_ERROR | DDS_LC_WARNING)) == 0) {
      return;
    }
    std::string_view text(data.message, data.size);
    while (text.ends_with('\n') || text.ends_with('\0')) {
      text.remove_suffix(1);
    }
    if (!texts_.add(text, std::chrono::steady_clock::now())) {
      return;
    }
    for (const Log log : logs_.keys()) {
      if (logs_.call(log, [&] { (*log)(text); })) {
        return;
      }
    }
  }

  Calls<Log> logs_;
  RepeatedTexts texts_;  // a peer that cannot be reached is told of for each of its ports
};

/// Where Debian has the plug-ins of DDS Security, else their plain names.
std::string plugin(const std::string& name) {
  Dl_info info{};
  const std::string file = "lib" + name + ".so";
  if (::dladdr(reinterpret_cast<void*>(&dds_create_domain), &info) != 0) {
    const auto folder = std::filesystem::path(info.dli_fname).parent_path();
    for (const char* const below : {"libddsc0debian", "."}) {
      std::error_code error;
      if (std::filesystem::exists(folder / below / file, error)) {
        return (folder / below / file).string();
      }
    }
  }
  return name;
}

void set_security(dds_qos_t* settings, const Security& security) {
  if (security == Security{}) {
    return;
  }
  const auto set_file = [&](const char* key, const std::string& path) {
    dds_qset_prop(settings, key, ("file:" + std::filesystem::absolute(path).string()).c_str());
  };
  set_file("dds.sec.auth.identity_ca", security.identity_authority);
  set_file("dds.sec.auth.identity_certificate", security.identity);
  set_file("dds.sec.auth.private_key", security.private_key);
  set_file("dds.sec.access.permissions_ca", security.permissions_authority);
  set_file("dds.sec.access.governance", security.governance);
  set_file("dds.sec.access.permissions", security.permissions);
  const auto set_plugin = [&](const std::string& part, const std::string& library,
                              const std::string& function) {
    const std::string key = "dds.sec." + part + ".library.";
    dds_qset_prop(settings, (key + "path").c_str(), plugin(library).c_str());
    dds_qset_prop(settings, (key + "init").c_str(), ("init_" + function).c_str());
    dds_qset_prop(settings, (key + "finalize").c_str(), ("finalize_" + function).c_str());
  };
  set_plugin("auth", "dds_security_auth", "authentication");
  set_plugin("access", "dds_security_ac", "access_control");
  set_plugin("crypto", "dds_security_crypto", "crypto");
}

class CycloneParticipation final : public Participation {
 public:
  /// `shares_memory`: as it is wanted and possible.
  CycloneParticipation(const Membership& membership, bool shares_memory)
      : membership_(membership), shares_memory_(shares_memory) {
    Membership possible = membership;
    possible.shares_memory = shares_memory;
    if (shares_memory) {
      survive_iceoryx();
    }
    const char* const user = std::getenv("CYCLONEDDS_URI");
    const auto domain = static_cast<dds_domainid_t>(membership.domain);
    const std::string called = "domain " + std::to_string(membership.domain);
    domain_ = Entity(check(
        dds_create_domain(domain, configuration(possible, user != nullptr ? user : "").c_str()),
        "set up the " + called));
    const QualitiesHandle settings(dds_create_qos());
    dds_qset_entity_name(settings.get(), membership.name.c_str());
    // ROS 2 shows it as the enclave of the process.
    constexpr std::string_view kEnclave = "enclave=/;";
    dds_qset_userdata(settings.get(), kEnclave.data(), kEnclave.size());
    set_security(settings.get(), membership.security);
    participant_ = Entity(
        check(dds_create_participant(domain, settings.get(), nullptr), "join the " + called));
    directory_ = std::make_unique<Directory>(participant_.get());
  }

  [[nodiscard]] const Membership& membership() const { return membership_; }

  std::unique_ptr<Reader> make_reader(const EndpointOptions& options,
                                      ReaderListener& listener) override {
    return dds::make_reader(participant_.get(), shares_memory_, options, listener);
  }
  std::unique_ptr<Writer> make_writer(const EndpointOptions& options,
                                      WriterListener& listener) override {
    return dds::make_writer(participant_.get(), shares_memory_, options, listener);
  }
  void watch(EndpointListener& listener) override { directory_->watch(listener); }
  void unwatch(EndpointListener& listener) override { directory_->unwatch(listener); }
  [[nodiscard]] std::vector<Endpoint> endpoints() const override { return directory_->endpoints(); }
  [[nodiscard]] std::string digest_of_type(const Guid& end) const override {
    const TypeId type = directory_->type_of(end);
    return type != nullptr ? digest_of(*type) : "";
  }
  [[nodiscard]] std::vector<MessageDefinition> definitions(
      const Guid& end, std::chrono::nanoseconds limit) const override {
    const TypeId type = directory_->type_of(end);
    if (type == nullptr) {
      throw Error(ErrorCode::NotSupported, "its program does not tell them");
    }
    return remote_definitions(participant_.get(), *type, limit);
  }

 private:
  Membership membership_;
  bool shares_memory_;
  Entity domain_;
  Entity participant_;
  std::unique_ptr<Directory> directory_;
};

class CycloneLibrary final : public Library {
 public:
  std::shared_ptr<Participation> join(const Membership& membership,
                                      const LibraryLog& log) override {
    auto member = std::make_shared<Member>(*this, log);
    const std::lock_guard lock(mutex_);
    std::shared_ptr<CycloneParticipation>& joined = member->participant;
    joined = joined_[membership.domain].lock();
    if (joined == nullptr) {
      const std::string reason = membership.shares_memory ? why_no_shared_memory() : "";
      if (!reason.empty()) {
        log("samples go over the network, not through shared memory: " + reason);
      }
      joined = std::make_shared<CycloneParticipation>(membership,
                                                      membership.shares_memory && reason.empty());
      joined_[membership.domain] = joined;
    } else if (!(joined->membership() == membership)) {
      const std::string domain = std::to_string(membership.domain);
      joined.reset();
      throw Error(ErrorCode::InvalidParameter,
                  "this process has joined domain " + domain +
                      " with other settings: set 'participant' of all publishers and subscribers "
                      "of a domain to the same gxr::dds::Participant");
    }
    return {member, member->participant.get()};
  }

 private:
  /// One of those who share a participant.
  struct Member {
    Member(CycloneLibrary& of, LibraryLog to) : library(of), log(std::move(to)) {
      library.logs_.add(&log);
    }
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;
    ~Member() {
      {
        const std::lock_guard lock(library.mutex_);  // nobody joins anew meanwhile
        participant.reset();
      }
      library.logs_.remove(&log);
    }

    CycloneLibrary& library;
    LibraryLog log;
    std::shared_ptr<CycloneParticipation> participant;
  };

  Logs logs_;
  std::mutex mutex_;
  std::map<std::int32_t, std::weak_ptr<CycloneParticipation>> joined_;
};

}  // namespace
}  // namespace gxr::dds

extern "C" __attribute__((visibility("default"))) gxr::dds::Library* gxr_dds_cyclone() {
  static auto* const library = new gxr::dds::CycloneLibrary;  // Cyclone DDS may log at the end
  return library;
}
