#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chain.hpp"

extern char** environ;

namespace gxr::bench {
namespace {

/// What one process took.
struct Process {
  double seconds = 0;
  double megabytes = 0;  ///< greatest resident size
  int status = -1;
};

Process run_process(const char* program, const std::string& file) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const char* arguments[] = {program, "run", "--log-level", "warn", file.c_str(), nullptr};
  Process process;
  pid_t pid = 0;
  const auto begin = std::chrono::steady_clock::now();
  if (posix_spawn(&pid, program, &actions, nullptr, const_cast<char**>(arguments), environ) != 0) {
    return process;
  }
  rusage usage{};
  wait4(pid, &process.status, 0, &usage);
  process.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  process.megabytes = static_cast<double>(usage.ru_maxrss) / 1024.0;
  posix_spawn_file_actions_destroy(&actions);
  return process;
}

void start_to_end(benchmark::State& state) {
  const char* program = std::getenv("GXR");
  if (program == nullptr) {
    state.SkipWithError("set GXR to the gxr executable");
    return;
  }
  const auto forwards = static_cast<int>(state.range(0));
  const auto file =
      std::filesystem::temp_directory_path() / ("gxr_bench_" + std::to_string(getpid()) + ".yaml");
  std::ofstream(file) << chain_yaml({forwards, 1, 0});
  run_process(program, file);  // fills caches
  double megabytes = 0;
  double best = 1e9;
  for (auto _ : state) {
    const Process process = run_process(program, file);
    if (process.status != 0) {
      state.SkipWithError("gxr run failed");
      break;
    }
    state.SetIterationTime(process.seconds);
    best = std::min(best, process.seconds);
    megabytes = process.megabytes;
  }
  state.counters["best_ms"] = best * 1e3;
  state.counters["MB"] = megabytes;
  std::filesystem::remove(file);
}

BENCHMARK(start_to_end)
    ->Arg(1)
    ->Arg(100)
    ->UseManualTime()
    ->Iterations(20)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(start_to_end)->Arg(10'000)->UseManualTime()->Iterations(3)->Unit(benchmark::kMillisecond);
BENCHMARK(start_to_end)
    ->Arg(100'000)
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gxr::bench

BENCHMARK_MAIN();
