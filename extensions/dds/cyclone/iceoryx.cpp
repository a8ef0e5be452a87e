#include "dds/cyclone/iceoryx.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "dds/cyclone/entity.hpp"
#include "gxr/plain_text.hpp"

#ifdef GXR_HAS_ICEORYX
#include <dds/ddsc/dds_loan_api.h>
#include <dds/ddsi/ddsi_shm_transport.h>
#include <iceoryx_hoofs/error_handling/error_handling.hpp>
#endif

namespace gxr::dds {

#ifdef GXR_HAS_ICEORYX

namespace {

/// Where the daemon takes requests.
constexpr const char* kDaemon = "/tmp/roudi";

/// Behind the body, where readers that do not know it do not look.
struct Trailer {
  std::uint64_t mark;
  std::uint64_t number;
};
constexpr std::uint64_t kMark = 0x6778722f64647331;  // "gxr/dds1"

/// Of the last request for memory.
thread_local bool was_too_large = false;
thread_local const SampleToShare* writing = nullptr;

void on_error(iox::Error error, const std::function<void()>& callback, iox::ErrorLevel level) {
  was_too_large |= error == iox::Error::kMEPOO__MEMPOOL_GETCHUNK_CHUNK_IS_TOO_LARGE;
  if (callback) {
    callback();
  }
  if (level == iox::ErrorLevel::FATAL) {
    std::fprintf(stderr, "iceoryx cannot go on: %s\n", iox::ErrorHandler::toString(error));
    std::terminate();
  }
}

}  // namespace

std::string why_no_shared_memory() {
  const int descriptor = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) {
    return system_error_text(errno);
  }
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, kDaemon, sizeof(address.sun_path) - 1);
  const bool is_there =
      ::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  const int reason = errno;
  ::close(descriptor);
  if (is_there) {
    return {};
  }
  const std::string daemon = "the daemon of iceoryx, iox-roudi, ";
  if (reason == EACCES || reason == EPERM) {
    return daemon + "does not serve this user: it runs for another group";
  }
  return daemon + "does not run (" + kDaemon + ": " + system_error_text(reason) + ")";
}

void survive_iceoryx() {
  // Kept to the end of the process, in which iceoryx still reports.
  static const auto* const kept = new auto(iox::ErrorHandler::setTemporaryErrorHandler(&on_error));
  static_cast<void>(kept);
}

bool can_share(dds_entity_t writer) { return dds_is_shared_memory_available(writer); }

Shared write_shared(dds_entity_t writer, const SampleToShare& sample, std::int64_t time,
                    const std::string& action) {
  was_too_large = false;
  writing = &sample;
  const dds_return_t result = dds_write_ts(writer, &sample, time);
  writing = nullptr;
  if (result == DDS_RETCODE_OK) {
    return Shared::Done;
  }
  if (was_too_large) {
    return Shared::TooLarge;
  }
  if (result == DDS_RETCODE_OUT_OF_RESOURCES || result == DDS_RETCODE_TIMEOUT ||
      result == DDS_RETCODE_ERROR) {
    return Shared::AllInUse;
  }
  check(result, action);
  return Shared::Done;
}

const SampleToShare* sample_to_share() noexcept { return writing; }

std::size_t size_in_shared_memory(const SampleToShare& sample) noexcept {
  return sample.bytes->size() + sizeof(Trailer);
}

void copy_into_shared_memory(const SampleToShare& sample, void* memory) noexcept {
  const SampleBytes& bytes = *sample.bytes;
  std::memcpy(memory, bytes.body(), bytes.size());
  const Trailer trailer{kMark, sample.number};
  std::memcpy(static_cast<std::byte*>(memory) + bytes.size(), &trailer, sizeof(trailer));
}

SharedSample read_shared_memory(const void* chunk) {
  const iceoryx_header_t* const header = iceoryx_header_from_chunk(chunk);
  SharedSample sample;
  sample.is_serialized = header->shm_data_state == IOX_CHUNK_CONTAINS_SERIALIZED_DATA;
  sample.body = {static_cast<const std::byte*>(chunk), header->data_size};
  if (sample.body.size() >= sizeof(Trailer)) {
    const std::size_t size = sample.body.size() - sizeof(Trailer);
    Trailer trailer{};
    std::memcpy(&trailer, sample.body.data() + size, sizeof(trailer));
    if (trailer.mark == kMark) {
      sample.number = trailer.number;
      sample.body = sample.body.first(size);
    }
  }
  return sample;
}

void release_shared_memory(ddsi_serdata& sample) noexcept {
  if (sample.iox_chunk != nullptr && sample.iox_subscriber != nullptr) {
    free_iox_chunk(static_cast<iox_sub_t*>(sample.iox_subscriber), &sample.iox_chunk);
  }
}

#else

std::string why_no_shared_memory() { return "gxr was built without iceoryx"; }
void survive_iceoryx() {}
bool can_share(dds_entity_t /*writer*/) { return false; }
Shared write_shared(dds_entity_t /*writer*/, const SampleToShare& /*sample*/, std::int64_t /*time*/,
                    const std::string& /*action*/) {
  return Shared::TooLarge;
}
const SampleToShare* sample_to_share() noexcept { return nullptr; }
std::size_t size_in_shared_memory(const SampleToShare& /*sample*/) noexcept { return 0; }
void copy_into_shared_memory(const SampleToShare& /*sample*/, void* /*memory*/) noexcept {}
SharedSample read_shared_memory(const void* /*chunk*/) { return {}; }
void release_shared_memory(ddsi_serdata& /*sample*/) noexcept {}

#endif

}  // namespace gxr::dds
