#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gxr/export.hpp"

namespace gxr {

/// MPI, as far as ranks need it: sends and receives of bytes that do not wait. libgxr_mpi.so
/// implements it. Calls must not overlap. Functions throw Error(InputOutput) with the reason of the
/// MPI library, unless said otherwise.
class MpiPort {
 public:
  /// A send or a receive that has begun; its memory must stay until it is done.
  using Request = std::size_t;
  /// A message that has come and was not received yet.
  struct Arrival {
    std::uint32_t from = 0;
    std::uint32_t tag = 0;
    std::uint64_t bytes = 0;
  };

  MpiPort() = default;
  MpiPort(const MpiPort&) = delete;
  MpiPort& operator=(const MpiPort&) = delete;
  virtual ~MpiPort() = default;

  [[nodiscard]] virtual std::uint32_t rank() const noexcept = 0;
  [[nodiscard]] virtual std::uint32_t ranks() const noexcept = 0;
  /// That share this host's memory, with this one.
  [[nodiscard]] virtual std::uint32_t ranks_of_host() const noexcept = 0;
  /// Number of this rank among them, from 0.
  [[nodiscard]] virtual std::uint32_t rank_of_host() const noexcept = 0;
  [[nodiscard]] virtual std::uint32_t greatest_tag() const noexcept = 0;
  /// What each rank gives, by rank: the same number of bytes on all. Waits for all of them.
  virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) = 0;

  virtual Request send(std::uint32_t to, std::uint32_t tag, std::span<const std::byte> bytes) = 0;
  /// The oldest message that receive() has not begun to take.
  virtual std::optional<Arrival> probe() = 0;
  /// Takes the message that probe() gave last, all of it.
  virtual Request receive(std::span<std::byte> bytes) = 0;
  /// Ends the request if it is done.
  virtual bool is_done(Request request) = 0;
  /// Done when all ranks have begun it.
  virtual Request begin_barrier() = 0;
  /// MPI_Finalize, on the thread that started MPI: all ranks must come here, with nothing under
  /// way. Without it, the process leaves MPI as it is when it ends.
  virtual void finish() = 0;
};

}  // namespace gxr

/// The kMpiInterface that the library was built with. libgxr.so asks first, and calls nothing else
/// if it has another one.
extern "C" GXR_API const char* gxr_mpi_interface();
/// Starts MPI for this process, which has one chance. The caller owns the result. Throws
/// Error(InputOutput).
extern "C" GXR_API gxr::MpiPort* gxr_start_mpi();
/// The MPI library, such as "Open MPI 4.1.4".
extern "C" GXR_API void gxr_describe_mpi(std::string& text);
