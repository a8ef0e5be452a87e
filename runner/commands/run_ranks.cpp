#include "commands/run_ranks.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <unistd.h>

#include "commands/commands.hpp"
#include "commands/output.hpp"
#include "commands/python_process.hpp"
#include "commands/rank_launch.hpp"
#include "commands/run_rank.hpp"
#include "commands/run_result.hpp"
#include "rank_run/rank_mesh.hpp"

namespace gxr::commands {

int run_ranks(LoadedApplication& application, const RunOptions& options) {
  std::optional<SpreadPlan> whole = spread(application, options, options.application.ranks);
  if (!whole) {
    return report_errors(application, options);
  }
  continue_in_python(application);
  report_diagnostics(application);
  require_spreadable(options);
  tell_moved(*whole);
  RunOptions own = options;
  own.process = ::getpid();
  const RankClock clock{TraceBegin::now(), true};
  return launch_ranks(options.application.ranks, [&](Rank rank,
                                                     std::vector<FileDescriptor> sockets) {
    const int code = code_with_log(run_rank(std::make_unique<RankMesh>(rank, std::move(sockets)),
                                            application, std::move(*whole), own, clock));
    return with_output_written(code);
  });
}

}  // namespace gxr::commands
