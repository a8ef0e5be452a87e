#pragma once

#include <cstdint>
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

/// An application at a moment of its run.
struct ApplicationStatus {
  ApplicationIdentity application;
  RunPhase phase = RunPhase::Starting;
  std::int64_t elapsed_ns = 0;     ///< real time since it was ready to begin
  std::vector<std::string> calls;  ///< calls of components in which threads are, see describe()
  std::vector<std::uint32_t> silent_ranks;  ///< that did not answer: `run` lacks their entities
  RunStatus run;                            ///< without entities as long as there are none
};

}  // namespace gxr
