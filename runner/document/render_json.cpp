#include <nlohmann/json.hpp>

#include "document/diagnostics.hpp"
#include "document/secrets.hpp"
#include "document/source_line.hpp"

namespace gxr {

namespace {

using Json = nlohmann::ordered_json;

/// File, line and column; each null where it is not known.
void add_place(Json& json, Location where, const SourceMap& sources) {
  json["file"] = where.source == 0 ? Json(nullptr) : Json(sources.at(where.source).name);
  json["line"] = where.known() ? Json(where.line) : Json(nullptr);
  json["column"] = where.known() ? Json(where.column) : Json(nullptr);
}

Json related_json(const RelatedPlace& related, const SourceMap& sources) {
  Json json;
  json["text"] = without_secrets(related.text);
  add_place(json, related.where, sources);
  return json;
}

std::uint32_t shown_length(const Diagnostic& diagnostic, const SourceMap& sources) {
  const Location where = diagnostic.where;
  return where.known() && !sources.at(where.source).text.empty()
             ? marked_length(sources, where, diagnostic.length)
             : diagnostic.length;
}

Json diagnostic_json(const Diagnostic& diagnostic, const SourceMap& sources) {
  Json json;
  json["code"] = info(diagnostic.code).name;
  json["severity"] = diagnostic.severity == Severity::Error ? "error" : "warning";
  json["text"] = diagnostic.text;
  add_place(json, diagnostic.where, sources);
  json["length"] = shown_length(diagnostic, sources);
  json["hint"] = diagnostic.hint;
  json["related"] = Json::array();
  for (const RelatedPlace& related : diagnostic.related) {
    json["related"].push_back(related_json(related, sources));
  }
  return json;
}

}  // namespace

std::string render_json(const Diagnostics& diagnostics, const SourceMap& sources) {
  Json json;
  json["diagnostics"] = Json::array();
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    json["diagnostics"].push_back(diagnostic_json(diagnostic, sources));
  }
  json["errors"] = diagnostics.errors();
  json["warnings"] = diagnostics.warnings();
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace gxr
