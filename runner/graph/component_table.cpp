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

/// A column of the parts whose place `belongs` there, codelets first; nothing for none.
template <class Belongs>
std::string column(const Drawing::Node& node, const Belongs& belongs) {
  std::string rows;
  const auto add_with_terms = [&](const Part& part) {
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      rows += &node.parts[i] == &part ? row_of(node, i) : "";
    }
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      const bool watches = &place_of(node, node.parts[i]) == &part && &node.parts[i] != &part;
      rows += watches ? row_of(node, i) : "";
    }
  };
  for (const bool codelets : {true, false}) {
    for (const Part& part : node.parts) {
      const bool is_own_place = &place_of(node, part) == &part;
      if (is_own_place && belongs(part) && (part.kind == Part::Kind::Codelet) == codelets) {
        add_with_terms(part);
      }
    }
  }
  return rows.empty() ? rows
                      : "<td><table border=\"0\" cellborder=\"0\" cellspacing=\"4\" "
                        "cellpadding=\"4\">" +
                            rows + "</table></td>";
}

}  // namespace

std::string component_place(std::size_t part) { return "p" + std::to_string(part); }

std::string component_table(const Drawing::Node& node) {
  const std::string columns =
      column(node, [](const Part& part) { return part.kind == Part::Kind::Receiver; }) +
      column(node,
             [](const Part& part) {
               return part.kind != Part::Kind::Receiver && part.kind != Part::Kind::Transmitter;
             }) +
      column(node, [](const Part& part) { return part.kind == Part::Kind::Transmitter; });
  const std::string title =
      "<tr><td colspan=\"3\"><b>" + html_text(node.short_name) + "</b></td></tr>";
  return "<table border=\"0\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"3\">" + title +
         (columns.empty() ? "" : "<tr>" + columns + "</tr>") + "</table>";
}

}  // namespace gxr
