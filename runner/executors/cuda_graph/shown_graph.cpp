#include "executors/cuda_graph/shown_graph.hpp"

#include <utility>

#include "executors/cuda_graph/measured_operators.hpp"

namespace gxr {
namespace {

/// So many are read: they take some microseconds.
constexpr std::size_t kMostShown = 64;

}  // namespace

void ShownGraph::show(GraphStatus graph, std::vector<std::string> entities, Reader reader) {
  const std::lock_guard lock(mutex_);
  graph_ = std::move(graph);
  entities_ = std::move(entities);
  reader_ = std::move(reader);
}

void ShownGraph::hide() noexcept {
  const std::lock_guard lock(mutex_);
  reader_.reset();
}

std::optional<GraphStatus> ShownGraph::status() const {
  const std::lock_guard lock(mutex_);
  if (!reader_) {
    return std::nullopt;
  }
  GraphStatus status = graph_;
  status.iterations = reader_->iterations();
  std::vector<MeasuredIteration> measured = reader_->measured(kMostShown + 1);
  if (measured.empty()) {
    return status;
  }
  measured.pop_back();  // it may not have ended
  GraphStatistics sums;
  MeasuredOperators(entities_, std::move(measured)).add_to(sums);
  status.measured = sums.measured;
  status.measured_ns = sums.measured_ns;
  status.operators = std::move(sums.operators);
  return status;
}

}  // namespace gxr
