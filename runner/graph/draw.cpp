#include "graph/draw.hpp"

#include "graph/centre_labels.hpp"
#include "graph/graphviz.hpp"
#include "gxr/error.hpp"

namespace gxr {

std::string draw(const Drawing& drawing, std::string_view format) {
  if (format == "text") {
    return draw_text(drawing);
  }
  if (format == "mermaid") {
    return draw_mermaid(drawing);
  }
  if (format == "dot") {
    return draw_dot(drawing);
  }
  if (format == "svg") {
    return centre_labels(run_graphviz(draw_dot(drawing), "svg"));
  }
  if (format == "png") {
    return run_graphviz(draw_dot(drawing), "png");
  }
  throw Error(ErrorCode::InvalidArgument, "there is no picture in the format '" +
                                              std::string(format) +
                                              "': take text, dot, mermaid, svg or png");
}

}  // namespace gxr
