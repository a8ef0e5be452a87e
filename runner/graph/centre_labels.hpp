#pragma once

#include <string>

namespace gxr {

/// Centres the labels of nodes in a picture (SVG) that Graphviz has drawn. Graphviz says where the
/// lines of a label begin, from its own estimate of their widths, so they stand off centre in the
/// fonts of a browser.
[[nodiscard]] std::string centre_labels(const std::string& svg);

}  // namespace gxr
