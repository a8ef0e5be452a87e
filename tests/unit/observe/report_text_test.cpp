#include "observe/report_text.hpp"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "catch.hpp"

namespace gxr {
namespace {

using Catch::Matchers::ContainsSubstring;

Report with_graphs() {
  Report report;
  GraphStatistics loop;
  loop.region = "loop";
  loop.iterations = 4;
  loop.duration_ns = 8000;
  loop.memory_bytes = 3 * 1024 * 1024 / 2;
  GraphStatistics launched;
  launched.region = "launched";
  launched.iterations = 7;
  launched.loops = false;
  launched.memory_bytes = 520;
  report.graphs = {loop, launched};
  return report;
}

}  // namespace

TEST_CASE("Statistics show what graphs did and the memory they took", "[report]") {
  Report report = with_graphs();
  const std::string text = render_statistics(report);
  CHECK_THAT(text,
             ContainsSubstring("CUDA graph iterations       total      period      memory\n"
                               "loop                4     8.00 us     2.00 us    1.50 MiB\n"
                               "launched            7           -           -       520 B\n"));
  CHECK_THAT(text, ContainsSubstring("captures were not checked for work on other streams "
                                     "(--check-streams)\n"));
  CHECK_THAT(text, !ContainsSubstring("keeps"));
  CHECK_THAT(text, !ContainsSubstring("changed"));
  report.graphs[0].captures_checked = true;
  report.graphs[1].captures_checked = true;
  CHECK_THAT(render_statistics(report), !ContainsSubstring("captures"));
  report.graphs[1].node_updates = 1;
  CHECK_THAT(render_statistics(report),
             ContainsSubstring("parameters of launched changed: 1 update of its nodes\n"));
  report.graphs[1].graph_updates = 2;
  report.graphs[1].instantiations = 3;
  CHECK_THAT(
      render_statistics(report),
      ContainsSubstring("parameters of launched changed: 1 update of its nodes, 2 updates of "
                        "the whole graph, 3 new instantiations\n"));
  report.graphs[1].parameter_sets = 4;
  CHECK_THAT(render_statistics(report),
             ContainsSubstring("launched changed: 4 times without new nodes, 1 update of its "));
  report.graphs[0].late_inputs = 1;
  CHECK_THAT(render_statistics(report),
             ContainsSubstring("inputs of loop were late, by input_timeout_ms, 1 time\n"));
  report.graphs[0].left_out = 2;
  CHECK_THAT(render_statistics(report),
             ContainsSubstring("2 turns of siblings of loop left out: the one before still ran\n"));
  report.graph_memory = {{1, 3 * 1024, 1023}};
  CHECK_THAT(render_statistics(report),
             ContainsSubstring("GPU 1 keeps 3.00 KiB for CUDA graphs that allocate memory, "
                               "1023 B in use\n"));
  report.graphs.clear();
  report.graph_memory.clear();
  CHECK_THAT(render_statistics(report), !ContainsSubstring("CUDA graph"));
}

TEST_CASE("Discarded messages come with their reason and the nearest miss", "[report]") {
  Report report;
  report.discarded = {
      {"sync/s", {58, 60, "no partner came", NearestMiss{33'333, "sync_threshold", 0}}},
      {"keep/vault", {1, 0, "no room"}}};
  CHECK(render_problems(report) ==
        "warning: 'sync/s' discarded 58 of 60 messages: no partner came (nearest miss 33.33 us, "
        "sync_threshold 0 ns)\n"
        "warning: 'keep/vault' discarded 1 message: no room\n");
  const nlohmann::json json = nlohmann::json::parse(render_report_json(report));
  CHECK(json["discarded"][0] == nlohmann::json({{"component", "sync/s"},
                                                {"count", 58},
                                                {"of", 60},
                                                {"reason", "no partner came"},
                                                {"nearest_miss_ns", 33'333},
                                                {"threshold", "sync_threshold"},
                                                {"threshold_ns", 0}}));
  CHECK(json["discarded"][1] ==
        nlohmann::json({{"component", "keep/vault"}, {"count", 1}, {"reason", "no room"}}));
}

TEST_CASE("What is left at the end is named whatever the end, some of it when it is much",
          "[report]") {
  Report report;
  report.waiting = {{"rx", {"waits for a message"}}};
  report.unread = {{"rx/in", 2}};
  for (const EndReason reason : {EndReason::Duration, EndReason::Interrupted}) {
    report.reason = reason;
    CHECK(render_problems(report) ==
          "when the run ended, 1 entity waited:\n"
          "  entity 'rx': waits for a message\n"
          "warning: 2 messages in 'rx/in' were never read\n");
  }
  for (const EndReason reason : {EndReason::Completed, EndReason::Failed}) {
    report.reason = reason;
    CHECK(render_problems(report) == "warning: 2 messages in 'rx/in' were never read\n");
  }
  report.reason = EndReason::Interrupted;
  report.waiting.resize(30, {"rx", {"waits"}});
  report.unread.resize(25, {"rx/in", 2});
  const std::string text = render_problems(report);
  CHECK_THAT(text, ContainsSubstring("  and 10 more, which --format json lists\n"));
  CHECK_THAT(text, ContainsSubstring("warning: 10 messages in 5 more queues were never read; "
                                     "--format json lists them\n"));
  CHECK(std::ranges::count(text, '\n') == 43);
  report.reason = EndReason::Deadlock;
  CHECK_THAT(render_problems(report), !ContainsSubstring("more"));
}

TEST_CASE("The report as JSON has the memory of graphs", "[report]") {
  Report report = with_graphs();
  report.graphs[1].device = 1;
  report.graph_memory = {{1, 3072, 1023}};
  const nlohmann::json json = nlohmann::json::parse(render_report_json(report));
  CHECK(json["graphs"][0] == nlohmann::json({{"name", "loop"},
                                             {"device", 0},
                                             {"mode", "resident"},
                                             {"iterations", 4},
                                             {"duration_ns", 8000},
                                             {"period_ns", 2000.0},
                                             {"memory_bytes", 1572864},
                                             {"captures_checked", false}}));
  CHECK(json["graphs"][1] == nlohmann::json({{"name", "launched"},
                                             {"device", 1},
                                             {"mode", "graph"},
                                             {"iterations", 7},
                                             {"memory_bytes", 520},
                                             {"captures_checked", false}}));
  CHECK(json["graph_memory"] ==
        nlohmann::json::array({{{"device", 1}, {"reserved_bytes", 3072}, {"used_bytes", 1023}}}));
  CHECK_FALSE(nlohmann::json::parse(render_report_json({})).contains("graph_memory"));
  report.graphs[1].node_updates = 4;
  report.graphs[1].captures_checked = true;
  report.graphs[1].instantiations = 1;
  CHECK(nlohmann::json::parse(render_report_json(report))["graphs"][1] ==
        nlohmann::json({{"name", "launched"},
                        {"device", 1},
                        {"mode", "graph"},
                        {"iterations", 7},
                        {"memory_bytes", 520},
                        {"captures_checked", true},
                        {"node_updates", 4},
                        {"instantiations", 1}}));
}

}  // namespace gxr
