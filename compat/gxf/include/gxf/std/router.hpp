#pragma once

#include "gxf/core/entity.hpp"
#include "gxf/core/handle.hpp"

namespace nvidia {
namespace gxf {

class Clock;
class NetworkContext;

/// gxr has its own router, which moves messages between entities: sources cannot derive from this.
class Router {
 public:
  /// For the text of the error when a source derives from it all the same.
  using OnlyOfGxr = void;

  virtual ~Router() = default;

  virtual Expected<void> addRoutes(const Entity& entity) = 0;
  virtual Expected<void> removeRoutes(const Entity& entity) = 0;
  virtual Expected<void> syncInbox(const Entity& entity) = 0;
  virtual Expected<void> syncOutbox(const Entity& entity) = 0;
  virtual Expected<void> setClock(Handle<Clock> clock) = 0;
  virtual Expected<void> addNetworkContext(Handle<NetworkContext> context) = 0;
  virtual Expected<void> wait(const Entity&) { return Success; }
};

}  // namespace gxf
}  // namespace nvidia
