#pragma once

#include <string>
#include <utility>

#include "document/diagnostics.hpp"
#include "document/document.hpp"

namespace gxr::test {

/// A document read from one text named app.yaml, with what was said about it.
struct Parsed {
  explicit Parsed(std::string text, bool compat_gxf = false) : diagnostics(compat_gxf) {
    document.add_text({Source::Kind::File, "app.yaml", std::move(text)}, diagnostics);
  }
  [[nodiscard]] const Value& root(std::size_t index = 0) const {
    return *document.parts().at(index).root;
  }
  [[nodiscard]] std::string messages() const {
    return render_text(diagnostics, document.sources(), false);
  }

  Document document;
  Diagnostics diagnostics;
};

/// "line:column" of a value.
inline std::string place(const Value& value) {
  return std::to_string(value.location().line) + ":" + std::to_string(value.location().column);
}

inline std::string place(Location where) {
  return std::to_string(where.line) + ":" + std::to_string(where.column);
}

/// All nodes with kind, place, quotes, tag and text, one per line: equal dumps mean equal trees.
std::string dump(const Value& value);

}  // namespace gxr::test
