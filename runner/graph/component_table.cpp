#include "graph/component_table.hpp"

#include "graph/html_text.hpp"

namespace gxr {
namespace {

using Part = Drawing::Part;

/// The queue that a term watches, if it is one of its entity; else the term itself.
const Part& place_of(const Drawing::Node& node, const Part& part) {
  if (part.kind == Part::Kind::Term) {
    for (const std::size_t used : part.uses) {
      const Part& queue = node.parts[used];
      if (queue.kind == Part::Kind::Receiver || queue.kind == Part::Kind::Transmitter) {
        return queue;
      }
    }
  }
  return part;
}

const char* colours_of(Part::Kind kind) {
  switch (kind) {
    case Part::Kind::Receiver:
      return "bgcolor=\"#e6f4e4\" color=\"#3f7f3a\"";
    case Part::Kind::Transmitter:
      return "bgcolor=\"#fdf0dc\" color=\"#a8681c\"";
    case Part::Kind::Term:
      return "bgcolor=\"#ffffff\" color=\"#777777\"";
    case Part::Kind::Codelet:
      return "bgcolor=\"#d8e4f7\" color=\"#3b5f94\"";
    case Part::Kind::Other:
      break;
  }
  return "bgcolor=\"#f2f2f2\" color=\"#777777\"";
}

std::string small(const std::string& text) {
  return "<font point-size=\"9\">" + html_text(text) + "</font>";
}

std::string row_of(const Drawing::Node& node, std::size_t index) {
  const Part& part = node.parts[index];
  std::string lines = part.name.empty() ? std::string() : html_text(part.name) + "<br/>";
  lines += small(part.type);
  if (!part.details.empty()) {
    lines += "<br/>" + small(part.details);
  }
  return "<tr><td border=\"1\" style=\"rounded\" " + std::string(colours_of(part.kind)) +
         " port=\"" + component_place(index) + "\">" + lines + "</td></tr>";
}

std::string table(const char* attributes, const std::string& rows) {
  return "<table border=\"0\" cellborder=\"0\" " + std::string(attributes) + ">" + rows +
         "</table>";
}

std::string cell(const std::string& content) { return "<td>" + content + "</td>"; }

/// The rows of a part and of the terms that watch it. In a picture that is drawn downwards, edges
/// leave a transmitter below it, so its terms are above.
std::string rows_with_terms(const Drawing::Node& node, const Part& part, bool downwards) {
  std::string own;
  std::string terms;
  for (std::size_t i = 0; i < node.parts.size(); ++i) {
    if (&node.parts[i] == &part) {
      own = row_of(node, i);
    } else if (&place_of(node, node.parts[i]) == &part) {
      terms += row_of(node, i);
    }
  }
  return downwards && part.kind == Part::Kind::Transmitter ? terms + own : own + terms;
}

/// The parts whose place `belongs` to a group, codelets first: one above the other, or, in a
/// picture that is drawn downwards, side by side. Nothing for none.
template <class Belongs>
std::string group(const Drawing::Node& node, bool downwards, const Belongs& belongs) {
  constexpr const char* kSpaced = "cellspacing=\"4\" cellpadding=\"4\"";
  std::string content;
  for (const bool codelets : {true, false}) {
    for (const Part& part : node.parts) {
      const bool has_own_place = &place_of(node, part) == &part;
      if (has_own_place && belongs(part) && (part.kind == Part::Kind::Codelet) == codelets) {
        const std::string rows = rows_with_terms(node, part, downwards);
        content += downwards ? cell(table(kSpaced, rows)) : rows;
      }
    }
  }
  if (content.empty()) {
    return content;
  }
  return downwards ? "<tr>" + cell(table("cellspacing=\"0\"", "<tr>" + content + "</tr>")) + "</tr>"
                   : cell(table(kSpaced, content));
}

}  // namespace

std::string component_place(std::size_t part) { return "p" + std::to_string(part); }

std::string component_table(const Drawing::Node& node, bool downwards) {
  const std::string groups =
      group(node, downwards, [](const Part& part) { return part.kind == Part::Kind::Receiver; }) +
      group(node, downwards,
            [](const Part& part) {
              return part.kind != Part::Kind::Receiver && part.kind != Part::Kind::Transmitter;
            }) +
      group(node, downwards, [](const Part& part) { return part.kind == Part::Kind::Transmitter; });
  const std::string title = "<b>" + html_text(node.short_name) + "</b>";
  const std::string rows =
      downwards ? "<tr><td align=\"left\">" + title + "</td></tr>" + groups
                : "<tr><td colspan=\"3\">" + title + "</td></tr><tr>" + groups + "</tr>";
  return table("cellspacing=\"0\" cellpadding=\"3\"", rows);
}

}  // namespace gxr
