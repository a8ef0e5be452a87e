#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "language/workspace.hpp"

// The answers to an editor's requests. All take the request's `params` and throw what
// nlohmann::json throws for one that is not as the protocol says.

namespace gxr::language {

using Json = nlohmann::json;

Json complete(Workspace& workspace, const Json& parameters);
Json hover(Workspace& workspace, const Json& parameters);
Json find_definition(Workspace& workspace, const Json& parameters);
Json find_references(Workspace& workspace, const Json& parameters);
Json prepare_rename(Workspace& workspace, const Json& parameters);
/// Throws Error(InvalidArgument) for what cannot be renamed, for a name that cannot be one, and for
/// one that would make another application.
Json rename(Workspace& workspace, const Json& parameters);
Json list_symbols(Workspace& workspace, const Json& parameters);
Json list_fixes(Workspace& workspace, const Json& parameters);

/// The diagnostics of a file of an application, as notifications have them.
Json diagnostics_of(const Workspace::Application& application, const std::string& path,
                    const Workspace& workspace);

Range range_in(const Json& json);
/// The absolute path of the file that the parameters name.
std::string path_in(const Json& parameters);

}  // namespace gxr::language
