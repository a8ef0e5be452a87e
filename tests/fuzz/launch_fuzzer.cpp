// Reads any text as the arguments of gxr launch, one a line of the text or all in one, and aborts
// where a promise of that front end is broken.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "document/document.hpp"
#include "graph/launch.hpp"
#include "registry/type_catalog.hpp"
#include "tests/fuzz/promise.hpp"

namespace {

using gxr::fuzz::require;
using Kind = gxr::ParameterType::Kind;

gxr::TypeInfo type(const std::string& name, const std::string& base, std::uint64_t id,
                   bool abstract = false) {
  gxr::TypeInfo made;
  made.name = name;
  made.base = base;
  made.abstract = abstract;
  made.id = {id, 1};
  return made;
}

void add_port(gxr::TypeInfo& type, const std::string& key, const std::string& queue, bool list) {
  gxr::ParameterInfo port;
  port.key = key;
  const gxr::ParameterType handle{Kind::Handle, queue, {}, 0, {}};
  port.type = list ? gxr::ParameterType{Kind::List, {}, {handle}, 0, {}} : handle;
  type.parameters.push_back(std::move(port));
}

/// Base types, a source, a pass and a sink, and codelets with ports of free names.
gxr::TypeCatalog make_catalog() {
  std::uint64_t id = 0;
  std::vector<gxr::TypeInfo> types;
  for (const auto& [name, base] :
       {std::pair("gxr::Component", ""), std::pair("gxr::Codelet", "gxr::Component"),
        std::pair("gxr::Receiver", "gxr::Component"),
        std::pair("gxr::Transmitter", "gxr::Component")}) {
    types.push_back(type(name, base, ++id, true));
  }
  types.push_back(type("gxr::DoubleBufferReceiver", "gxr::Receiver", ++id));
  types.push_back(type("gxr::DoubleBufferTransmitter", "gxr::Transmitter", ++id));
  types.push_back(type("A", "gxr::Codelet", ++id));
  add_port(types.back(), "out", "gxr::Transmitter", false);
  types.push_back(type("gxr::B", "gxr::Codelet", ++id));
  add_port(types.back(), "in", "gxr::Receiver", false);
  add_port(types.back(), "out", "gxr::Transmitter", false);
  types.push_back(type("C", "gxr::Codelet", ++id));
  add_port(types.back(), "in", "gxr::Receiver", false);
  types.push_back(type("M", "gxr::Codelet", ++id));
  add_port(types.back(), "inputs", "gxr::Receiver", true);
  add_port(types.back(), "outputs", "gxr::Transmitter", true);
  types.push_back(type("T", "gxr::Codelet", ++id));
  add_port(types.back(), "in", "gxr::Receiver", false);
  types.back().capabilities.push_back({gxr::Capability::Kind::PassesEachMessage, {}, {}});
  gxr::TypeCatalog catalog;
  catalog.add_types("test", std::move(types));
  return catalog;
}

void check_places(const gxr::Value& value, int depth) {
  require(value.location().known() && value.location().source == 1, "a value has a place");
  for (std::size_t i = 0; i < value.size() && depth < 20; ++i) {
    check_places(value.is_map() ? value.value(i) : value.at(i), depth + 1);
  }
}

void check_documents(const gxr::Document& document) {
  std::unordered_set<std::string_view> names;
  for (const gxr::DocumentPart& part : document.parts()) {
    check_places(*part.root, 0);
    const gxr::Value* const name = part.root->find("name");
    require(name != nullptr && names.insert(name->text()).second, "no two elements are alike");
    require(part.root->find("operator") != nullptr, "a document is short");
    std::unordered_set<std::string_view> keys;
    for (std::size_t i = 0; i < part.root->size(); ++i) {
      require(keys.insert(part.root->key(i).text()).second, "no key is there twice");
    }
  }
}

void read(const std::vector<std::string>& arguments) {
  static const gxr::TypeCatalog catalog = make_catalog();
  gxr::Document document;
  gxr::Diagnostics diagnostics;
  const gxr::Launch launch(arguments, document, diagnostics);
  if (diagnostics.errors() == 0) {
    launch.add_documents(catalog, document, diagnostics);
  }
  require(diagnostics.errors() > 0 || !document.parts().empty(), "a line has an element");
  check_documents(document);
  diagnostics.sort();
  for (const char c : render_text(diagnostics, document.sources(), false)) {
    require(static_cast<unsigned char>(c) >= 0x20 || c == '\n', "no control reaches the terminal");
  }
  render_json(diagnostics, document.sources());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  read({text});
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  read(lines);
  return 0;
}
