#include "document/yaml_parse.hpp"

#include <istream>
#include <limits>
#include <streambuf>

#include <yaml-cpp/parser.h>

#include "document/text_check.hpp"
#include "document/yaml_messages.hpp"

namespace gxr {

namespace {

/// Lets the parser read memory in place.
class MemoryBuffer final : public std::streambuf {
 public:
  explicit MemoryBuffer(std::string_view text) {
    char* const begin = const_cast<char*>(text.data());  // only ever read
    setg(begin, begin, begin + text.size());
  }
};

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
  MemoryBuffer buffer(source.text());
  std::istream stream(&buffer);
  YAML::Parser parser(stream);
  while (parser.HandleNextDocument(builder)) {
  }
}

}  // namespace

void parse_yaml(const YamlStretch& stretch, Arena& arena, YamlTrees& result) {
  YamlSource source(stretch);
  if (!is_readable(source, result)) {
    return;
  }
  TreeBuilder builder(source, arena, result.trees, result.problems);
  try {
    read_documents(source, builder);
  } catch (const YAML::Exception& error) {
    result.problems.push_back(explain_syntax_error(error, source, builder));
    return;
  }
  const std::size_t quote = builder.last_quote();
  if (quote != std::string_view::npos && !is_closed_quote(stretch.text, quote)) {
    result.problems.push_back(explain_open_quote(source, quote));
  }
}

}  // namespace gxr
