#include <array>

#include "document/diagnostic_table.hpp"

namespace gxr {

namespace {

constexpr std::array kRankTable = {
    DiagnosticInfo{
        DiagnosticCode::PlaceFile, "place-file", kError, false,
        "a place file or a gxr::mpi::Placement does not say which rank runs which entity",
        R"(A place file is one map from ranks, which count from 0, to names: of an entity, of a subgraph
(all of its entities), or patterns with '*'. The parameter 'ranks' of a gxr::mpi::Placement is such a
map in the application. A name that is written out counts more than the name of a subgraph, and that
more than a pattern; 'rank' in a document counts like the name of its entity or subgraph. No entity
can be on two ranks, and each rank must be one of those that the command line asks for. A place file
counts more than all that the application says.

wrong:
    camera: 0
    writer: 1

right:
    0: [camera, "filter*"]
    1: [writer])"},
    DiagnosticInfo{
        DiagnosticCode::NoPlace, "no-place", kError, false,
        "nothing says which rank runs an entity",
        R"(With several ranks, each entity that has a codelet or a queue runs on one of them. The file of
--place names it, a gxr::mpi::Placement, or 'rank' in its document; a document that includes a subgraph says it for all
entities of the subgraph. Entities in which nothing runs, such as those of pools, clocks and
schedulers, need no place: each rank makes its own.

wrong:
    gxr plan app.yaml --ranks 2

right:
    gxr plan app.yaml --ranks 2 --place ranks.yaml)"},
    DiagnosticInfo{
        DiagnosticCode::RankHandle, "rank-handle", kError, false,
        "a handle leads to a component on another rank",
        R"(Ranks are processes, which share no components. Only connections lead from one rank to
another. An entity in which nothing runs is on the rank of what it refers to; if that is on several
ranks, it can be on none.

wrong:
    0: [camera]
    1: [pool, writer]     # camera allocates from pool/pool

right:
    0: [camera]
    1: [writer]           # each rank makes a pool of its own)"},
    DiagnosticInfo{
        DiagnosticCode::RankGroup, "rank-group", kError, false,
        "entities of a group are on several ranks",
        R"(The entities of an EntityGroup share its resources, such as a thread pool or a GPU. Processes
cannot share them. Place all entities of the group on one rank, or make a group for each rank.

wrong:
    0: [left]             # both are in the group 'cameras'
    1: [right]

right:
    0: [left, right])"},
    DiagnosticInfo{
        DiagnosticCode::RankRegion, "rank-region", kError, false,
        "operators of a CUDA graph are on several ranks",
        R"(A CUDA graph is built and launched by one process. Place its operators on one rank. If the
file names the operators of each graph (gxr::cuda::GraphExecutor, 'entities'), each rank may have a
graph of its own; a connection between the two ranks is then a pair of remote queues.

wrong:
    0: [demosaic]         # one graph has both
    1: [tone]

right:
    0: [demosaic, tone])"},
    DiagnosticInfo{
        DiagnosticCode::RankClock, "rank-clock", kError, false,
        "a clock or scheduler of one process is used by several ranks",
        R"(The time of a ManualClock or SyntheticClock goes on by the ticks of one process, and an
EpochScheduler orders the ticks of one process. Entities on several ranks would each have another
time. Use a RealtimeClock, and a GreedyScheduler, EventBasedScheduler or MultiThreadScheduler.

wrong:
    - name: clock
      type: gxr::ManualClock

right:
    - name: clock
      type: gxr::RealtimeClock)"},
};

}  // namespace

std::span<const DiagnosticInfo> rank_diagnostics() { return kRankTable; }

}  // namespace gxr
