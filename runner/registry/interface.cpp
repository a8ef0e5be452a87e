#include "gxr/interface.hpp"

#include "gxr/extension.hpp"

namespace gxr {

void Interface::parameter(ParameterBase& member, std::string_view key, ParameterInfo info) {
  bindings_.push_back({key, &member});
  member.key_ = key;
  if (info_ != nullptr) {
    info.key = key;
    add(std::move(info));
  }
}

ParameterInfo* Interface::add(ParameterInfo info) {
  info_->parameters.push_back(std::move(info));
  return &info_->parameters.back();
}

PortDeclaration Interface::add_port(std::string_view key, PortInfo::Direction direction) {
  if (info_ == nullptr) {
    return {nullptr, 0, 0};
  }
  PortInfo port;
  port.key = key;
  port.direction = direction;
  info_->ports.push_back(std::move(port));
  return {info_, info_->ports.size() - 1, info_->parameters.size() - 1};
}

void Interface::declare(Capability::Kind kind, std::initializer_list<std::string_view> parameters,
                        std::string_view value) {
  if (info_ != nullptr) {
    info_->capabilities.push_back(
        {kind, {parameters.begin(), parameters.end()}, std::string(value)});
  }
}

Extension::~Extension() = default;

TypeDeclaration& TypeDeclaration::alias(std::string_view name) {
  info_->aliases.emplace_back(name);
  return *this;
}

TypeDeclaration& TypeDeclaration::description(std::string_view text) {
  info_->description = text;
  return *this;
}

TypeDeclaration& TypeDeclaration::id(std::uint64_t hash1, std::uint64_t hash2) {
  info_->id = {hash1, hash2};
  return *this;
}

}  // namespace gxr
