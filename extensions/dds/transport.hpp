#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dds/message_type.hpp"
#include "dds/qualities.hpp"
#include "dds/sample_bytes.hpp"
#include "gxr/topics.hpp"

/// What dds.so asks of the library of DDS, which dds_cyclone.so links.
namespace gxr::dds {

using Guid = std::array<std::uint8_t, 16>;

/// Files of DDS Security; empty: not set. Either all but `permissions_authority` and such are
/// given, or none.
struct Security {
  std::string identity_authority;     ///< certificate of who vouches for identities
  std::string identity;               ///< certificate of this participant
  std::string private_key;            ///< to that
  std::string permissions_authority;  ///< certificate of who has signed the two files below
  std::string governance;
  std::string permissions;

  friend bool operator==(const Security&, const Security&) = default;
};

/// How a process takes part in a domain.
struct Membership {
  std::int32_t domain = 0;
  std::vector<std::string> peers;       ///< addresses, besides this machine
  bool multicast = true;                ///< where the network has it
  std::vector<std::string> interfaces;  ///< names or addresses; none: the library chooses one
  std::chrono::nanoseconds lease{};     ///< after which others count as gone that say nothing
  std::uint64_t largest_packet = 0;     ///< bytes; 0: the library's default
  bool shares_memory = false;           ///< with others on this machine, where that is possible
  Security security;
  std::string name;  ///< of the application, for people

  friend bool operator==(const Membership&, const Membership&) = default;
};

/// An end of a topic, in this process or another.
struct Endpoint {
  Guid guid{};
  Guid participant{};
  bool writes = false;
  bool is_own = false;    ///< of this participant
  std::string topic;      ///< as in DDS
  std::string type;       ///< as in DDS
  std::string type_hash;  ///< as ROS 2 tells it; may be empty
  std::string name;       ///< as the other says; may be empty
  std::string process;    ///< "gxr 4711 at robot", as far as known
  Qualities qualities;

  /// For people: "the publisher 'camera/out' of gxr 4711", or its guid where nothing else is known.
  [[nodiscard]] std::string called() const;
};

/// Hears of ends of a topic, on threads of the library.
class EndpointListener {
 public:
  virtual void on_endpoint(const Endpoint& endpoint, bool is_there) = 0;

 protected:
  ~EndpointListener() = default;
};

struct Received {
  SharedBytes bytes;  ///< of the caller alone
  Guid writer{};
  std::uint64_t number = 0;  ///< of the sample, among those of its writer, from 1; 0: not known
  std::int64_t time = 0;     ///< when it was written, ns since 1970
  std::string flaw;          ///< why it is no sample of the type; then it has no bytes
  bool was_shared = false;   ///< it came in shared memory
  std::int64_t expires = 0;  ///< when it is of no use any more, ns since 1970; 0: never
};

/// Hears of a Reader, on threads of the library.
class ReaderListener {
 public:
  /// There may be something to take.
  virtual void on_data() = 0;
  virtual void on_deadline_missed(std::uint32_t count) = 0;
  /// Writers that it is matched with.
  virtual void on_matched(std::uint32_t count) = 0;

 protected:
  ~ReaderListener() = default;
};

class Reader {
 public:
  virtual ~Reader() = default;
  /// Calls of the listener begin, with those for what has happened already. Once.
  virtual void listen() = 0;
  /// Appends the next ones, `most` at most. True: there may be more, also when none was appended.
  /// One thread at a time.
  virtual bool take(std::size_t most, std::vector<Received>& samples) = 0;
};

class WriterListener {
 public:
  virtual void on_deadline_missed(std::uint32_t count) = 0;
  /// Readers that it is matched with.
  virtual void on_matched(std::uint32_t count) = 0;

 protected:
  ~WriterListener() = default;
};

class Writer {
 public:
  virtual ~Writer() = default;
  /// `time`: ns since 1970. False: readers that are to get all did not take what was written
  /// before, within max_blocking. Throws Error(InputOutput).
  virtual bool write(const SharedBytes& bytes, std::int64_t time) = 0;
  /// Until all reliable readers have what was written. False: not within that time.
  virtual bool wait_for_readers(std::chrono::nanoseconds limit) = 0;
};

struct EndpointOptions {
  std::string topic;  ///< as in DDS
  const Description* type = nullptr;
  Qualities qualities;
  std::string name;  ///< for people, told to others
};

/// What the process is in a domain. Shared by all its ends there. Thread-safe.
class Participation {
 public:
  virtual ~Participation() = default;
  /// The listener must outlive the result. Throws Error.
  virtual std::unique_ptr<Reader> make_reader(const EndpointOptions& options,
                                              ReaderListener& listener) = 0;
  virtual std::unique_ptr<Writer> make_writer(const EndpointOptions& options,
                                              WriterListener& listener) = 0;
  /// Tells all ends that are there, and then those that come and go, on a thread of its own, until
  /// unwatch(), after which the listener is not called any more. No lock is held in a call.
  virtual void watch(EndpointListener& listener) = 0;
  virtual void unwatch(EndpointListener& listener) = 0;
  [[nodiscard]] virtual std::vector<Endpoint> endpoints() const = 0;
  /// The same for ends whose types have equal definitions; empty: it does not tell its definition.
  [[nodiscard]] virtual std::string digest_of_type(const Guid& end) const = 0;
  /// The type of an end of another process as that defines it, then those that it contains; asks it
  /// at most for `limit` in all. Throws Error(NotSupported) when it does not tell.
  [[nodiscard]] virtual std::vector<MessageDefinition> definitions(
      const Guid& end, std::chrono::nanoseconds limit) const = 0;
};

/// What the library has to say: warnings and errors.
using LibraryLog = std::function<void(std::string_view text)>;

class Library {
 public:
  /// The part that this process takes in a domain, which others of this process may have, too.
  /// `log` hears why memory is not shared, if that was wanted.
  /// Throws Error: InvalidParameter when the domain is joined in another way already, InputOutput.
  virtual std::shared_ptr<Participation> join(const Membership& membership,
                                              const LibraryLog& log) = 0;

 protected:
  ~Library() = default;
};

/// Name of the function of dds_cyclone.so that returns its Library.
inline constexpr const char* kGetLibrary = "gxr_dds_cyclone";
using GetLibrary = Library* (*)();

}  // namespace gxr::dds
