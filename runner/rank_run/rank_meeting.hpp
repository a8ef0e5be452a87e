#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "internal_api.hpp"
#include "ipc/file_descriptor.hpp"
#include "rank_run/rank_host.hpp"
#include "ranks/rank_map.hpp"

namespace gxr {

/// Gives each rank what all of them give, by rank; all give the same number of bytes.
using GatherBytes =
    std::function<std::vector<std::vector<std::byte>>(std::span<const std::byte> own)>;

/// Joins all ranks by TCP, over IPv4 or IPv6: each rank listens, all tell each other where by
/// `gather`, and each calls those below it. Ranks of one host use its loopback alone. A secret of
/// rank 0, which also goes by `gather`, keeps others out. Returns the sockets by rank, of which
/// that of this rank is closed. Throws Error(InputOutput) when ranks do not reach each other within
/// half a minute.
GXR_INTERNAL_API std::vector<FileDescriptor> meet_ranks(Rank self, Rank ranks,
                                                        const GatherBytes& gather,
                                                        const RankHost& host = RankHost::own());

/// What a rank knows of the application before it runs.
struct RankReadiness {
  std::int64_t exit_code = 0;     ///< not 0: this rank cannot run its part
  std::uint64_t application = 0;  ///< a digest of what must be the same on all ranks
  std::int64_t steady_ns = 0;     ///< when it was told, by the rank's steady clock
  std::int64_t of_day_ns = 0;     ///< the same by its clock of the day
};

/// Tells the readiness of this rank to all others, and waits for theirs. Throws Error(InputOutput)
/// when one has gone.
GXR_INTERNAL_API std::vector<RankReadiness> exchange_readiness(
    Rank self, const std::vector<FileDescriptor>& sockets, const RankReadiness& own);

/// The difference of a steady clock from that of rank 0.
struct ClockOffset {
  std::int64_t ns = 0;           ///< to be added to the times of rank 0
  std::int64_t uncertainty = 0;  ///< ns; 0: it is the same clock
};

/// The clock of this rank. All ranks call it at once, behind exchange_readiness(). Throws
/// Error(InputOutput) when a rank has gone.
GXR_INTERNAL_API ClockOffset measure_clock(Rank self, const std::vector<FileDescriptor>& sockets);

}  // namespace gxr
