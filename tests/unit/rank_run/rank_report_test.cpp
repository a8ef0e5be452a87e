#include "rank_run/rank_report.hpp"

#include <string>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "rank_run/byte_archive.hpp"

namespace gxr {
namespace {

struct Inner {
  std::string text;
  std::optional<double> number;
};
struct Outer {
  std::vector<Inner> inner;
  EndReason reason = EndReason::Completed;
  bool flag = false;
};
template <class A>
void visit_fields(A& a, Inner& v) {
  a(v.text), a(v.number);
}
template <class A>
void visit_fields(A& a, Outer& v) {
  a(v.inner), a(v.reason), a(v.flag);
}

TEST_CASE("values come back from their bytes", "[rank_run]") {
  const Outer before{{{"a", 1.5}, {std::string("\0b", 2), std::nullopt}}, EndReason::Failed, true};
  const auto after = from_bytes<Outer>(to_bytes(before));
  REQUIRE(after.inner.size() == 2);
  CHECK(after.inner[0].text == "a");
  CHECK(after.inner[0].number == 1.5);
  CHECK(after.inner[1].text == std::string("\0b", 2));
  CHECK_FALSE(after.inner[1].number);
  CHECK(after.reason == EndReason::Failed);
  CHECK(after.flag);
}

TEST_CASE("bytes that end too early are no value", "[rank_run]") {
  const std::string bytes = to_bytes(Outer{{{"text", 1.5}}, EndReason::Failed, true});
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    CHECK_THROWS_AS(from_bytes<Outer>(bytes.substr(0, i)), Error);
  }
  CHECK_THROWS_AS(from_bytes<Outer>(std::string(8, '\xff')), Error);  // so many elements
}

RankReport report_of(const std::string& entity, EndReason reason) {
  RankReport part;
  part.report.reason = reason;
  part.report.entities.push_back({entity, "t::T", 3, 0, 0});
  part.finished = reason == EndReason::Completed ? 1 : 0;
  part.all = 1;
  return part;
}

TEST_CASE("the reports of ranks become one", "[rank_run]") {
  Graph graph;
  graph.add_entity("a", {});
  graph.add_entity("b", {});
  Plan plan;
  plan.graph = &graph;
  plan.activation_order = {1, 0};
  const RankNames names(plan, {});
  RankSession::Reports reports;
  RankReport second = report_of("a", EndReason::Deadlock);
  reports.texts[0] = to_text(report_of("b", EndReason::Completed));

  SECTION("by the order of the plan, and judged together") {
    reports.texts[1] = to_text(second);
    const RankReport joint = join_reports(reports, std::nullopt, names);
    CHECK(joint.report.reason == EndReason::Completed);  // one has finished, nothing is left
    REQUIRE(joint.report.entities.size() == 2);
    CHECK(joint.report.entities.front().entity == "b");
    CHECK(joint.all == 2);
  }
  SECTION("messages that are left make it a deadlock") {
    second.report.unread.push_back({"a/in", 2});
    reports.texts[1] = to_text(second);
    const RankReport joint = join_reports(reports, std::nullopt, names);
    CHECK(joint.report.reason == EndReason::Deadlock);
    CHECK(joint.report.detail == "nothing can run any more, but messages are left");
  }
  SECTION("the rank that ended all tells the reason") {
    second.report.reason = EndReason::Duration;
    second.report.detail = "enough";
    reports.texts[1] = to_text(second);
    const RankReport joint = join_reports(reports, RankEnd{1, {}, false}, names);
    CHECK(joint.report.reason == EndReason::Duration);
    CHECK(joint.report.detail == "enough");
  }
  SECTION("a failure names its rank") {
    second.report.failures.push_back({"a", "c", "t::T", "tick", "no", ErrorCode::Failure});
    reports.texts[1] = to_text(second);
    const RankReport joint = join_reports(reports, RankEnd{1, {}, false}, names);
    CHECK(joint.report.reason == EndReason::Failed);
    REQUIRE(joint.report.failures.size() == 1);
    CHECK(joint.report.failures.front().text == "on rank 1: no");
  }
  SECTION("a failure of several ranks is told once") {
    second.report.failures.push_back({"a", "c", "t::T", "tick", "no", ErrorCode::Failure});
    second.report.failures.push_back({"a", "d", "t::T", "tick", "no", ErrorCode::Failure});
    reports.texts[0] = to_text(second);
    second.report.failures.pop_back();
    reports.texts[1] = to_text(second);
    reports.lost.push_back({2, "its process is gone", true});
    const RankReport joint = join_reports(reports, std::nullopt, names);
    REQUIRE(joint.report.failures.size() == 3);
    CHECK(joint.report.failures[0].text == "rank 2 is lost: its process is gone");
    CHECK(joint.report.failures[1].text == "on ranks 0, 1: no");
    CHECK(joint.report.failures[2].text == "on rank 0: no");
    CHECK(joint.places.size() == 3);
  }
  SECTION("lost and silent ranks are failures") {
    reports.lost.push_back({1, "its process is gone", true});
    reports.missing.push_back(2);
    const RankReport joint = join_reports(reports, RankEnd{1, {}, true}, names);
    CHECK(joint.report.reason == EndReason::Failed);
    REQUIRE(joint.report.failures.size() == 2);
    CHECK(joint.report.failures.front().text == "rank 1 is lost: its process is gone");
    CHECK(joint.places.size() == 2);
  }
}

}  // namespace
}  // namespace gxr
