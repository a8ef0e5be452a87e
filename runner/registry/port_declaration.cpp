#include <string>

#include "gxr/error.hpp"
#include "gxr/multimedia/video_format.hpp"
#include "gxr/port.hpp"
#include "gxr/tensor.hpp"

namespace gxr {

PartInfo& PortDeclaration::last_part() const {
  if (port().parts.empty()) {
    throw Error(ErrorCode::InvalidArgument,
                "port '" + port().key + "' says something of a part, and names none");
  }
  return port().parts.back();
}

PortDeclaration& PortDeclaration::optional() {
  if (info_ != nullptr) {
    info_->parameters[parameter_].optional = true;
  }
  return *this;
}

PortDeclaration& PortDeclaration::description(std::string_view text) {
  if (info_ != nullptr) {
    info_->parameters[parameter_].description = text;
  }
  return *this;
}

PortDeclaration& PortDeclaration::add_part(std::string_view type, std::string_view name) {
  if (info_ != nullptr) {
    PartInfo part;
    part.type = type;
    part.name = name;
    port().parts.push_back(std::move(part));
  }
  return *this;
}

PortDeclaration& PortDeclaration::add_alternative(std::string_view type, std::string_view name) {
  if (info_ != nullptr) {
    static_cast<void>(last_part());
    add_part(type, name);
    last_part().alternative = true;
  }
  return *this;
}

PortDeclaration& PortDeclaration::named(std::string_view name) {
  if (info_ != nullptr) {
    last_part().name = name;
  }
  return *this;
}

PortDeclaration& PortDeclaration::optional_part() {
  if (info_ != nullptr) {
    last_part().optional = true;
  }
  return *this;
}

PortDeclaration& PortDeclaration::elements(std::initializer_list<ElementType> types) {
  if (info_ != nullptr) {
    for (const ElementType type : types) {
      last_part().elements.emplace_back(to_string(type));
    }
  }
  return *this;
}

PortDeclaration& PortDeclaration::rank(std::uint32_t rank) {
  if (info_ != nullptr) {
    last_part().rank = rank;
  }
  return *this;
}

PortDeclaration& PortDeclaration::dimensions(std::initializer_list<std::int32_t> dimensions) {
  if (info_ != nullptr) {
    last_part().dimensions.assign(dimensions);
    last_part().rank = static_cast<std::uint32_t>(dimensions.size());
  }
  return *this;
}

PortDeclaration& PortDeclaration::formats(std::initializer_list<VideoFormat> formats) {
  if (info_ != nullptr) {
    for (const VideoFormat format : formats) {
      last_part().formats.emplace_back(to_string(format));
    }
  }
  return *this;
}

PortDeclaration& PortDeclaration::other_parts() {
  if (info_ != nullptr) {
    port().other_parts = true;
  }
  return *this;
}

}  // namespace gxr
