// Reads any text as an app file, a parameter and a value, and aborts where a promise of the
// document stage is broken.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <string>
#include <string_view>

#include "document/document.hpp"
#include "document/parallel_parse.hpp"
#include "document/text_check.hpp"
#include "gxr/error.hpp"
#include "gxr/parameter.hpp"

namespace {

using gxr::Diagnostics;
using gxr::Document;
using gxr::Value;

/// Larger trees cannot be written and read again in reasonable time.
constexpr std::size_t kMostNodes = 20000;
/// Most texts are no numbers, and each refusal throws: that would take nearly all of the time.
constexpr std::size_t kMostScalars = 40;

[[noreturn]] void fail(const char* promise, const std::string& detail) {
  std::cerr << "broken: " << promise << "\n" << detail << std::endl;
  std::abort();
}

void require(bool holds, const char* promise, const std::string& detail) {
  if (!holds) {
    fail(promise, detail);
  }
}

template <class F>
void try_read(F&& read) {
  try {
    read();
  } catch (const gxr::Error& error) {
    require(!error.message().empty(), "an error has a text", "");
  }
}

class NoDeclaration final : public gxr::ParameterContext {
 public:
  gxr::Component* resolve(const Value& /*value*/) override { return nullptr; }
};

void read_scalar(const Value& value) {
  namespace detail = gxr::detail;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  try_read([&] { detail::parse_bool(value); });
  try_read([&] { detail::parse_int(value, -kMost, kMost); });
  try_read([&] { detail::parse_uint(value, std::numeric_limits<std::uint64_t>::max()); });
  try_read([&] { detail::parse_double(value); });
  try_read([&] { detail::parse_float(value); });
  try_read([&] { detail::parse_complex(value); });
  try_read([&] {
    NoDeclaration context;
    detail::parse_duration(value, context);
  });
  try_read([&] { detail::parse_byte_size(value); });
  try_read([&] { detail::parse_choice(value, {{"a", {}}, {"b", {}}}); });
  detail::parse_string(value);
  detail::yaml_of(std::string(value.text()));
}

/// Walks trees and checks what holds for every node. Stops at a bound: aliases may mean millions of
/// nodes.
class Walk {
 public:
  explicit Walk(const gxr::SourceMap& sources) : sources_(sources) {}

  void visit(const Value& value) {
    if (++nodes_ > kMostNodes) {
      return;
    }
    check_place(value);
    if ((value.is_scalar() || value.is_null()) && ++scalars_ <= kMostScalars) {
      read_scalar(value);
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (value.is_map()) {
        visit(value.key(i));
        visit(value.value(i));
        check_find(value, value.key(i));
      } else {
        visit(value.at(i));
      }
    }
  }
  [[nodiscard]] bool complete() const { return nodes_ <= kMostNodes; }

 private:
  static void check_find(const Value& map, const Value& key) {
    const Value* const found = map.find(key.text());
    require(!key.is_scalar() || found != nullptr, "find finds every scalar key", map.to_yaml());
  }

  void check_place(const Value& value) const {
    const gxr::Location where = value.location();
    require(where.known() && where.column > 0, "every value has a place", value.to_yaml());
    const std::string_view line = sources_.line(where.source, where.line);
    std::size_t offset = 0;
    for (std::uint32_t column = 1; column < where.column && offset < line.size(); ++column) {
      do {
        ++offset;
      } while (offset < line.size() && (static_cast<unsigned char>(line[offset]) & 0xC0U) == 0x80U);
    }
    const std::string_view rest = line.substr(offset);
    const bool alias = rest.starts_with('*');
    const bool checked = value.is_scalar() && !value.quoted() && !value.text().empty();
    if (checked && !alias && !rest.starts_with(value.text().substr(0, 1))) {
      fail("a plain text stands at its place",
           std::string(rest) + "\n" + std::string(value.text()));
    }
  }

  const gxr::SourceMap& sources_;
  std::size_t nodes_ = 0;
  std::size_t scalars_ = 0;
};

bool is_equal(const Value& a, const Value& b) {
  if (a.kind() != b.kind() || a.tag() != b.tag() || a.size() != b.size()) {
    return false;
  }
  if (a.is_scalar() && a.text() != b.text()) {
    return false;
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool same = a.is_map() ? is_equal(a.key(i), b.key(i)) && is_equal(a.value(i), b.value(i))
                                 : is_equal(a.at(i), b.at(i));
    if (!same) {
      return false;
    }
  }
  return true;
}

bool has_duplicate_keys(const Diagnostics& diagnostics) {
  for (const gxr::Diagnostic& d : diagnostics.all()) {
    if (d.code == gxr::DiagnosticCode::DuplicateKey) {
      return true;
    }
  }
  return false;
}

void check_round_trip(const Value& value) {
  const std::string yaml = value.to_yaml();
  Document again;
  try {
    require(is_equal(again.make_value(yaml), value), "written values read back equal", yaml);
  } catch (const gxr::Error& error) {
    fail(error.what(), yaml);
  }
}

void check_rendering(Diagnostics& diagnostics, const gxr::SourceMap& sources) {
  for (const gxr::Diagnostic& d : diagnostics.all()) {
    require(!d.text.empty() && d.length > 0, "a diagnostic has text and length", d.text);
  }
  for (const char c : render_text(diagnostics, sources, false)) {
    require(static_cast<unsigned char>(c) >= 0x20 || c == '\n', "no control reaches the terminal",
            "");
  }
  render_text(diagnostics, sources, true);
  render_json(diagnostics, sources);
  const std::size_t before = diagnostics.all().size();
  diagnostics.sort();
  require(diagnostics.all().size() <= before, "sorting adds nothing", "");
}

void read_as_application(const std::string& text) {
  Document document;
  Diagnostics diagnostics;
  document.add_text({gxr::Source::Kind::File, "app.yaml", text}, diagnostics);
  const bool round_trip = !has_duplicate_keys(diagnostics);
  for (const gxr::DocumentPart& part : document.parts()) {
    Walk walk(document.sources());
    walk.visit(*part.root);
    if (walk.complete() && round_trip) {
      check_round_trip(*part.root);
    }
  }
  check_rendering(diagnostics, document.sources());
}

void compare_threads(std::string text) {
  gxr::normalise_line_ends(text);
  const gxr::ParsedText one = gxr::parse_documents(text, 1, 1);
  const gxr::ParsedText many = gxr::parse_documents(text, 1, 3);
  require(one.result.trees.size() == many.result.trees.size() &&
              one.result.problems.size() == many.result.problems.size(),
          "threads do not change the result", "");
}

void read_as_argument(const std::string& text) {
  Document document;
  Diagnostics diagnostics;
  document.add_override(text, diagnostics);
  document.add_override("entity/parameter=" + text, diagnostics);
  for (const gxr::Override& found : document.overrides()) {
    Walk walk(document.sources());
    walk.visit(*found.value);
    if (walk.complete() && !has_duplicate_keys(diagnostics)) {
      check_round_trip(*found.value);
    }
  }
  check_rendering(diagnostics, document.sources());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  read_as_application(text);
  compare_threads(text);
  read_as_argument(text);
  return 0;
}
