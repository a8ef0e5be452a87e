#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "dds/cyclone/sample_type.hpp"

/// Shared memory by iceoryx, which Cyclone DDS passes samples through to readers on this machine.
/// Its daemon, iox-roudi, owns the memory.
namespace gxr::dds {

/// Why this process cannot use shared memory; empty: it can. Asks the daemon, for which iceoryx
/// would wait a minute and then abort the process.
[[nodiscard]] std::string why_no_shared_memory();

/// Lets iceoryx report in place of aborting the process where a piece of memory cannot be had.
/// Any number of times.
void survive_iceoryx();

/// Do samples of a writer go to some of its readers in shared memory? Its qualities may forbid
/// that.
[[nodiscard]] bool can_share(dds_entity_t writer);

enum class Shared : std::uint8_t { Done, AllInUse, TooLarge };

/// A sample that is on its way into shared memory: a sample of its type in the sense of
/// dds_write().
struct SampleToShare {
  SharedBytes bytes;
  std::uint64_t number = 0;  ///< see Received
};

/// Writes to a writer that can_share(): to readers in shared memory, and to others as well. Throws
/// Error(InputOutput), calling it `action`.
[[nodiscard]] Shared write_shared(dds_entity_t writer, const SampleToShare& sample,
                                  std::int64_t time, const std::string& action);
/// The one that this thread writes; nullptr: none.
[[nodiscard]] const SampleToShare* sample_to_share() noexcept;
[[nodiscard]] std::size_t size_in_shared_memory(const SampleToShare& sample) noexcept;
void copy_into_shared_memory(const SampleToShare& sample, void* memory) noexcept;

/// A sample that came in shared memory: the body in CDR, in the byte order of this machine.
struct SharedSample {
  std::span<const std::byte> body;
  std::uint64_t number = 0;  ///< see Received
  bool is_serialized = false;
};
[[nodiscard]] SharedSample read_shared_memory(const void* chunk);

/// Gives the piece back that `sample` came in, if any.
void release_shared_memory(ddsi_serdata& sample) noexcept;

}  // namespace gxr::dds
