#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gxr/run_status.hpp"

namespace gxr {

/// How far an application has come.
enum class RunPhase : std::uint8_t {
  Starting,  ///< its components are being made and initialised
  Running,
  Stopping,  ///< its components are being stopped
};

/// Which application it is.
struct ApplicationIdentity {
  std::int64_t process = 0;        ///< PID
  std::string name;                ///< the stem of its first file
  std::vector<std::string> files;  ///< as they were named
  std::int64_t started_ms = 0;     ///< of the Unix clock, when it was ready to begin
};

/// Which rank has what of an application that runs in several processes.
struct RankOrigins {
  std::uint32_t ranks = 0;                         ///< 0: it runs in one process
  std::map<std::string, std::uint32_t> of_entity;  ///< by name
  std::vector<std::uint32_t> of_allocator;         ///< in the order of RunStatus::allocators

  [[nodiscard]] std::optional<std::uint32_t> find(const std::string& entity) const {
    const auto found = of_entity.find(entity);
    return found == of_entity.end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] std::optional<std::uint32_t> find_allocator(std::size_t number) const {
    return number < of_allocator.size() ? std::optional(of_allocator[number]) : std::nullopt;
  }
};

/// An application at a moment of its run.
struct ApplicationStatus {
  ApplicationIdentity application;
  RunPhase phase = RunPhase::Starting;
  std::int64_t elapsed_ns = 0;     ///< real time since it was ready to begin
  std::vector<std::string> calls;  ///< calls of components in which threads are, see describe()
  std::vector<std::uint32_t> silent_ranks;  ///< that did not answer: `run` lacks their entities
  RankOrigins origins;
  RunStatus run;  ///< without entities as long as there are none
};

}  // namespace gxr
