#include "monitor/metrics_text.hpp"

#include <string>

#include "catch.hpp"

namespace {

gxr::ApplicationStatus example() {
  gxr::ApplicationStatus status;
  status.application = {42, "tu\"ning\\\n", {"tuning.yaml"}, 1'700'000'000'500};
  status.phase = gxr::RunPhase::Running;
  status.elapsed_ns = 2'500'000'000;
  status.run.executor = "one thread";
  gxr::EntityStatus entity;
  entity.entity = "b\xff";
  entity.ticks = 7;
  entity.state = gxr::EntityState::Waiting;
  gxr::QueueStatus queue;
  queue.queue = "b/in";
  queue.messages = 1;
  queue.dropped = 3;
  entity.queues.push_back(queue);
  entity.times = {4, 10'000, 1'000, 2'000, 3'000, 3'500, 4'000};
  entity.lateness = {2, 7, 3, 4, 4, 4, 4};
  status.run.paths.push_back({"a", "b", {1, 5, 5, 5, 5, 5, 5}});
  status.run.allocators.push_back({"memory/pool", 1024, 2048});
  status.run.graphs = {{"loop", 0, true, 77, 4, 900, {{"add", 4, 800, 300}, {"never", 0, 0, 0}}},
                       {"by host", 0, false, std::nullopt, 0, 0, {}}};
  status.run.entities.push_back(entity);
  return status;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("metrics of several ranks name them", "[monitor]") {
  gxr::ApplicationStatus status = example();
  status.run.allocators.push_back({"memory/pool", 1, 2});  // each rank has one
  status.origins.ranks = 3;
  status.origins.of_entity["b\xff"] = 1;
  status.origins.of_entity["b"] = 1;
  status.origins.of_entity["loop"] = 2;
  status.origins.of_allocator = {0, 1};
  status.silent_ranks = {2};
  const std::string text = render_metrics(status, gxr::MetricsForm::OpenMetrics);
  CHECK(has(text, "gxr_rank_answers{rank=\"0\"} 1\n"));
  CHECK(has(text, "gxr_rank_answers{rank=\"2\"} 0\n"));
  CHECK(has(text, "gxr_entity_ticks_total{entity=\"b\xef\xbf\xbd\",rank=\"1\"} 7\n"));
  CHECK(has(text, ",rank=\"1\",queue=\"b/in\",direction=\"input\"} 1\n"));
  CHECK(has(text, "gxr_path_age_seconds_count{source=\"a\",sink=\"b\",rank=\"1\"} 1\n"));
  CHECK(has(text, "gxr_allocator_used_bytes{allocator=\"memory/pool\",rank=\"0\"} 1024\n"));
  CHECK(has(text, "gxr_allocator_used_bytes{allocator=\"memory/pool\",rank=\"1\"} 1\n"));
  CHECK(has(text, "gxr_graph_iterations_total{region=\"loop\",rank=\"2\"} 77\n"));
  CHECK_FALSE(has(render_metrics(example(), gxr::MetricsForm::OpenMetrics), "rank"));
}

TEST_CASE("metrics in the form of OpenMetrics", "[monitor]") {
  const std::string text = render_metrics(example(), gxr::MetricsForm::OpenMetrics);
  CHECK(has(text, "# TYPE gxr_run info\n"));
  CHECK(
      has(text, R"(gxr_run_info{name="tu\"ning\\\n",process="42",executor="one thread",version=)"));
  CHECK(has(text, "# UNIT gxr_run_elapsed_seconds seconds\n"));
  CHECK(has(text, "\ngxr_run_elapsed_seconds 2.5\n"));
  CHECK(has(text, "\ngxr_run_phase{gxr_run_phase=\"running\"} 1\n"));
  CHECK(has(text, "# TYPE gxr_entity_ticks counter\n"));
  CHECK(has(text, "\ngxr_entity_ticks_total{entity=\"b\xef\xbf\xbd\"} 7\n"));
  CHECK(has(text, "gxr_entity_state=\"waiting\"} 1\n"));
  CHECK(has(text, "gxr_entity_state=\"ready\"} 0\n"));
  CHECK(has(text, "queue=\"b/in\",direction=\"input\"} 3\n"));
  CHECK(has(text, "# TYPE gxr_entity_tick_seconds summary\n"));
  CHECK(has(text, "quantile=\"0.99\"} 3e-06\n"));
  CHECK(has(text, "gxr_entity_tick_seconds_sum{entity=\"b\xef\xbf\xbd\"} 1e-05\n"));
  CHECK(has(text, "gxr_entity_tick_seconds_count{entity=\"b\xef\xbf\xbd\"} 4\n"));
  CHECK(has(text, "gxr_entity_lateness_seconds_count{entity=\"b\xef\xbf\xbd\"} 2\n"));
  CHECK(has(text, "gxr_path_age_seconds_count{source=\"a\",sink=\"b\"} 1\n"));
  CHECK(has(text, "gxr_allocator_peak_bytes{allocator=\"memory/pool\"} 2048\n"));
  CHECK(has(text, "\ngxr_graph_iterations_total{region=\"loop\"} 77\n"));
  CHECK(has(text, "\ngxr_graph_operator_mean_seconds{region=\"loop\",entity=\"add\"} 2e-07\n"));
  CHECK_FALSE(has(text, "by host"));  // whose launches are the ticks of its entity
  CHECK_FALSE(has(text, "never"));
  CHECK_FALSE(has(text, "gxr_queue_wait_seconds_count"));  // which nobody has measured
  CHECK(text.ends_with("# EOF\n"));
  CHECK_FALSE(has(text, "\ngxr_queue_capacity{"));  // which is not known
}

TEST_CASE("metrics in the form before OpenMetrics", "[monitor]") {
  const std::string text = render_metrics(example(), gxr::MetricsForm::PrometheusText);
  CHECK(has(text, "# TYPE gxr_run_info gauge\n"));
  CHECK(has(text, "# TYPE gxr_entity_ticks_total counter\n"));
  CHECK(has(text, "# TYPE gxr_entity_state gauge\n"));
  CHECK_FALSE(has(text, "# UNIT"));
  CHECK_FALSE(has(text, "# EOF"));
}

TEST_CASE("a client gets the form that it takes", "[monitor]") {
  CHECK(gxr::metrics_form("") == gxr::MetricsForm::OpenMetrics);
  CHECK(gxr::metrics_form("*/*") == gxr::MetricsForm::OpenMetrics);
  CHECK(gxr::metrics_form("text/plain") == gxr::MetricsForm::PrometheusText);
  CHECK(gxr::metrics_form("application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.4") ==
        gxr::MetricsForm::OpenMetrics);
}
