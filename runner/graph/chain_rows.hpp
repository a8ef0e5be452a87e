#pragma once

#include <cstddef>
#include <vector>

#include "graph/drawing.hpp"

namespace gxr {

/// Long chains of a drawing, broken into rows that run to and fro as a ploughed field does.
struct ChainRows {
  using Row = std::vector<std::size_t>;  ///< nodes, from left to right
  std::vector<std::vector<Row>> chains;
  std::vector<bool> reversed;  ///< by edge: it runs from right to left in its row
};

/// None where chains fit on a page. The nodes of a chain are of one cluster.
[[nodiscard]] ChainRows find_chain_rows(const Drawing& drawing);

}  // namespace gxr
