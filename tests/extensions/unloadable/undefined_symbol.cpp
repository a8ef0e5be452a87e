#include <gxr/gxr.hpp>

namespace elsewhere {

int not_defined_anywhere(const std::string& name);

}  // namespace elsewhere

extern "C" void gxr_extension(gxr::Extension&) { elsewhere::not_defined_anywhere("name"); }
