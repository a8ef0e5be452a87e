#pragma once

#include <string>
#include <vector>

#include "gxr/type_info.hpp"
#include "registry/extension_library.hpp"

namespace gxr {

/// Makes one instance of every concrete type and has it declare its interface into
/// RegisteredType::info. Returns what went wrong, one text each: constructors and declarations that
/// throw or use services of a running application.
std::vector<std::string> declare_interfaces(std::vector<RegisteredType>& types);

/// What the authors of these types must change before anyone can use them, one text each: names
/// that cannot be written in YAML, names and parameter keys given twice, defaults that break the
/// parameter's own range or choices, parameter types without their elements, ports without a
/// parameter, capabilities that contradict themselves. The types may have been made by hand.
std::vector<std::string> check_declarations(const std::vector<TypeInfo>& types);

/// What their author may not have meant, one text each: abstract codelets that no type is derived
/// from and no parameter names.
std::vector<std::string> suspicious_declarations(const std::vector<TypeInfo>& types);

}  // namespace gxr
