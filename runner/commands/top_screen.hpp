#pragma once

#include <chrono>
#include <string>

namespace gxr::commands {

/// How `gxr top` asks.
struct TopQuestions {
  std::string socket;
  std::chrono::milliseconds interval{1000};
  std::chrono::milliseconds patience{10000};  ///< for one answer; 0: no limit
};

/// Shows an application on all of the terminal until it ends, or somebody quits or sends a signal.
/// Returns the exit code. Throws Error when the application cannot be asked at the beginning.
int show_top_screen(const TopQuestions& questions);

/// The words for an application that has ended.
std::string ended_text(const std::string& application);

}  // namespace gxr::commands
