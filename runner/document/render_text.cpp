#include <algorithm>
#include <string>

#include "document/diagnostics.hpp"
#include "document/secrets.hpp"
#include "document/source_line.hpp"
#include "document/utf8.hpp"

namespace gxr {

namespace {

constexpr const char* kBold = "\x1b[1m";
constexpr const char* kRed = "\x1b[1;31m";
constexpr const char* kYellow = "\x1b[1;33m";
constexpr const char* kBlue = "\x1b[1;34m";
constexpr const char* kGreen = "\x1b[1;32m";
constexpr const char* kPlain = "\x1b[0m";

std::string place_name(const SourceMap& sources, Location where) {
  return printable(sources.describe(where));
}

/// Writes one diagnostic. The gutter is as wide as its longest line number.
class TextRenderer {
 public:
  TextRenderer(const SourceMap& sources, bool color, std::size_t gutter)
      : sources_(sources), color_(color), gutter_(gutter, ' ') {}

  void write(const Diagnostic& diagnostic) {
    const bool error = diagnostic.severity == Severity::Error;
    const char* const style = error ? kRed : kYellow;
    out_ += styled(
        style, std::string(error ? "error" : "warning") + '[' + info(diagnostic.code).name + ']');
    out_ += styled(kBold, std::string(": ").append(printable_lines(diagnostic.text, "  "))) + '\n';
    write_place(diagnostic.where, diagnostic.length, style);
    write_hint(diagnostic);
    for (const RelatedPlace& related : diagnostic.related) {
      out_ += styled(kGreen, "note") + ": " + printable_lines(without_secrets(related.text), "  ") +
              '\n';
      write_place(related.where, 1, kGreen);
    }
  }
  std::string take() { return std::move(out_); }
  void write_place(Location where, std::uint32_t length) { write_place(where, length, kRed); }

 private:
  [[nodiscard]] std::string styled(const char* style, const std::string& text) const {
    return color_ ? style + text + kPlain : text;
  }

  void write_place(Location where, std::uint32_t length, const char* style) {
    if (where.source == 0 && !where.known()) {
      return;
    }
    out_ += gutter_ + styled(kBlue, "--> ") + place_name(sources_, where) + '\n';
    if (where.known() && !sources_.at(where.source).text.empty()) {
      write_line(where, length, style);
    }
  }

  void write_line(Location where, std::uint32_t length, const char* style) {
    const MarkedLine marked = mark_line(sources_.line(where.source, where.line), where.column,
                                        marked_length(sources_, where, length));
    const std::string number = std::to_string(where.line);
    const std::string padding(gutter_.size() - number.size(), ' ');
    write_gutter(gutter_, "");
    write_gutter(padding + number, marked.line);
    write_gutter(gutter_, styled(style, marked.marker));
  }

  void write_gutter(const std::string& number, const std::string& text) {
    out_ += styled(kBlue, number + " |") + (text.empty() ? "" : " " + text) + '\n';
  }

  void write_hint(const Diagnostic& diagnostic) {
    if (!diagnostic.hint.empty()) {
      const std::string indent = gutter_ + "         ";
      out_ += gutter_ + styled(kBlue, " = ") + styled(kBold, "help") + ": " +
              printable_lines(diagnostic.hint, indent) + '\n';
    }
  }

  const SourceMap& sources_;
  bool color_;
  std::string gutter_;
  std::string out_;
};

std::size_t gutter_width(const Diagnostic& diagnostic) {
  std::uint32_t line = diagnostic.where.line;
  for (const RelatedPlace& related : diagnostic.related) {
    line = std::max(line, related.where.line);
  }
  return std::to_string(line).size();
}

}  // namespace

std::string render_text(const Diagnostics& diagnostics, const SourceMap& sources, bool color,
                        std::size_t greatest_number) {
  std::size_t errors = std::min(diagnostics.errors(), greatest_number);
  std::size_t warnings = greatest_number - errors;
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    std::size_t& left = diagnostic.severity == Severity::Error ? errors : warnings;
    if (left == 0) {
      continue;
    }
    --left;
    TextRenderer renderer(sources, color, gutter_width(diagnostic));
    renderer.write(diagnostic);
    out += out.empty() ? "" : "\n";
    out += renderer.take();
  }
  return out;
}

std::string render_place(const SourceMap& sources, Location where, std::uint32_t length) {
  TextRenderer renderer(sources, false, std::to_string(where.line).size());
  renderer.write_place(where, length);
  return renderer.take();
}

}  // namespace gxr
