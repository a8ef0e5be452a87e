#include "commands/mpi_job.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace gxr::commands {
namespace {

/// Where a starter says which process this is, and of how many.
struct JobVariables {
  const char* rank;
  const char* ranks;
};

/// Slurm sets the second of its own for what srun starts, and not for a batch script.
constexpr JobVariables kVariables[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"PMI_RANK", "PMI_SIZE"},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
};

std::optional<Rank> number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) {
    return std::nullopt;
  }
  const std::string_view view(text);
  Rank number = 0;
  const auto read = std::from_chars(view.data(), view.data() + view.size(), number);
  return read.ec == std::errc() && read.ptr == view.data() + view.size() ? std::optional(number)
                                                                         : std::nullopt;
}

}  // namespace

std::optional<MpiJob> mpi_job() {
  for (const JobVariables& names : kVariables) {
    const std::optional<Rank> rank = number_in(names.rank);
    const std::optional<Rank> ranks = number_in(names.ranks);
    if (rank && ranks && *rank < *ranks) {
      return MpiJob{*rank, *ranks};
    }
  }
  return std::nullopt;
}

}  // namespace gxr::commands
