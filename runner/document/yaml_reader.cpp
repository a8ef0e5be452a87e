#include <istream>
#include <limits>
#include <span>
#include <streambuf>

#include <yaml-cpp/parser.h>

#include "document/text_check.hpp"
#include "document/tree_builder.hpp"
#include "document/yaml_directives.hpp"
#include "document/yaml_library.hpp"
#include "document/yaml_messages.hpp"

namespace gxr {

namespace {

/// Lets the parser read pieces of memory in place, one after the other. No piece is empty.
class MemoryBuffer final : public std::streambuf {
 public:
  explicit MemoryBuffer(std::span<const std::string_view> pieces) : pieces_(pieces) { underflow(); }

 private:
  int_type underflow() override {
    if (gptr() != egptr()) {
      return traits_type::to_int_type(*gptr());
    }
    if (next_ == pieces_.size()) {
      return traits_type::eof();
    }
    const std::string_view piece = pieces_[next_++];
    char* const begin = const_cast<char*>(piece.data());  // only ever read
    setg(begin, begin, begin + piece.size());
    return traits_type::to_int_type(*begin);
  }

  std::span<const std::string_view> pieces_;
  std::size_t next_ = 0;
};

/// The text as the parser reads it the same way under every locale. It takes the version in
/// "%YAML 1.2" apart with a stream, for which the point may separate thousands; between the two
/// numbers it takes any character, so it gets one that separates nothing.
std::vector<std::string_view> pieces_of(std::string_view text) {
  constexpr std::string_view kSeparator = "/";
  std::vector<std::string_view> pieces;
  std::size_t begin = 0;
  for (const std::size_t point : find_version_points(text)) {
    pieces.push_back(text.substr(begin, point - begin));
    pieces.push_back(kSeparator);
    begin = point + 1;
  }
  if (begin < text.size()) {
    pieces.push_back(text.substr(begin));
  }
  return pieces;
}

void report(YamlTrees& result, Location where, std::string text, std::string hint) {
  result.problems.push_back({DiagnosticCode::YamlSyntax,
                             Severity::Error,
                             std::move(text),
                             where,
                             1,
                             std::move(hint),
                             {}});
}

bool is_readable(YamlSource& source, YamlTrees& result) {
  if (source.text().size() > std::numeric_limits<int>::max()) {
    report(result, source.locate(0), "this YAML document is larger than 2 GiB", "split it");
    return false;
  }
  if (const std::optional<TextFlaw> flaw = find_flaw(source.text())) {
    report(result, source.locate(flaw->offset), flaw->text, flaw->hint);
    return false;
  }
  return true;
}

void read_documents(YamlSource& source, TreeBuilder& builder) {
  const std::vector<std::string_view> pieces = pieces_of(source.text());
  MemoryBuffer buffer(pieces);
  std::istream stream(&buffer);
  YAML::Parser parser(stream);
  while (parser.HandleNextDocument(builder)) {
  }
}

void read(const YamlStretch& stretch, Arena& arena, YamlTrees& result) {
  YamlSource source(stretch);
  if (!is_readable(source, result)) {
    return;
  }
  TreeBuilder builder(source, arena, result.trees, result.problems);
  try {
    read_documents(source, builder);
  } catch (const YAML::Exception& error) {
    if (!builder.has_named_blank()) {
      result.problems.push_back(explain_syntax_error(error, source, builder));
    }
    return;
  }
  const std::size_t quote = builder.last_quote();
  if (quote != std::string_view::npos && !is_closed_quote(stretch.text, quote)) {
    result.problems.push_back(explain_open_quote(source, quote));
  }
}

}  // namespace
}  // namespace gxr

void gxr_read_yaml(const gxr::YamlStretch& stretch, gxr::Arena& arena, gxr::YamlTrees& result) {
  gxr::read(stretch, arena, result);
}
