#include "graph/unknown_types.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "graph/foreign_types.hpp"
#include "graph/text.hpp"

namespace gxr {
namespace {

constexpr std::size_t kManyTypes = 3;   // of one namespace are reported together
constexpr std::size_t kMostListed = 8;  // names in one hint

std::string used(const UnknownType& type) {
  return type.uses == 1 ? std::string() : ", used " + std::to_string(type.uses) + " times";
}

class UnknownTypeReport {
 public:
  UnknownTypeReport(const TypeCatalog& catalog, Suggester& suggester, Diagnostics& diagnostics)
      : known_(catalog.names()),
        catalog_(catalog),
        suggester_(suggester),
        diagnostics_(diagnostics) {}

  void add(const UnknownTypes& types) {
    std::map<std::string_view, std::vector<UnknownType>> of_space;
    for (const auto& [name, type] : types) {
      const std::string hint = hint_for(type);
      const std::string_view space = hint.empty() ? missing_namespace(name) : std::string_view();
      if (space.empty()) {
        report(type, hint);
      } else {
        of_space[space].push_back(type);
      }
    }
    for (const auto& [space, of_it] : of_space) {
      if (of_it.size() < kManyTypes) {
        std::ranges::for_each(of_it, [&](const UnknownType& type) { report(type, {}); });
      } else {
        report_all(space, of_it);
      }
    }
  }

 private:
  std::string hint_for(const UnknownType& type) {
    if (std::string hint = hint_for_holoscan(type.name); !hint.empty()) {
      return hint;
    }
    const std::string_view gxf_extension = gxf_extension_of(type.name);
    return gxf_extension.empty() ? suggester_.type(type.name)
                                 : "a type of GXF's " + std::string(gxf_extension) +
                                       " extension that this version of gxr does not have";
  }

  /// The outermost namespace of the name in which no extension has a type; empty when there is
  /// none.
  [[nodiscard]] std::string_view missing_namespace(std::string_view name) const {
    for (std::size_t end = name.find("::"); end != std::string_view::npos;
         end = name.find("::", end + 2)) {
      const std::string_view space = name.substr(0, end + 2);
      const auto next = std::ranges::lower_bound(known_, space);  // names() is sorted
      if (next == known_.end() || !next->starts_with(space)) {
        return space;
      }
    }
    return {};
  }

  void report(const UnknownType& type, const std::string& hint) {
    diagnostics_.add(DiagnosticCode::UnknownType, type.where, length_of(type.name),
                     "unknown type " + in_quotes(type.name) + used(type),
                     with_broken(hint.empty() ? "'gxr list types' shows all types; an extension "
                                                "elsewhere is named with -x FILE.so"
                                              : hint));
  }

  void report_all(std::string_view space, std::vector<UnknownType> types) {
    std::ranges::sort(types, {}, [](const UnknownType& type) {
      return std::tuple(type.where.source, type.where.line, type.where.column);
    });
    std::size_t uses = 0;
    std::string names;
    for (std::size_t i = 0; i < types.size(); ++i) {
      uses += types[i].uses;
      if (i < kMostListed) {
        names.append(names.empty() ? "" : ", ").append(types[i].name.substr(space.size()));
      }
    }
    names += types.size() > kMostListed ? ", ..." : "";
    diagnostics_.add(
        DiagnosticCode::UnknownType, types.front().where, length_of(types.front().name),
        "no extension has types of " + in_quotes(space) + ": " + std::to_string(types.size()) +
            " unknown types, used " + std::to_string(uses) + " times",
        with_broken(names + "\nname the extension that has them with -x FILE.so"));
  }

  [[nodiscard]] std::string with_broken(std::string hint) const {
    for (const std::string& broken : catalog_.broken()) {
      hint += "\nan extension could not be read: " + broken;
    }
    return hint;
  }

  std::vector<std::string_view> known_;
  const TypeCatalog& catalog_;
  Suggester& suggester_;
  Diagnostics& diagnostics_;
};

}  // namespace

void report_unknown_types(const UnknownTypes& types, const TypeCatalog& catalog,
                          Suggester& suggester, Diagnostics& diagnostics) {
  UnknownTypeReport(catalog, suggester, diagnostics).add(types);
}

}  // namespace gxr
