#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "executors/codelet_exchange.hpp"
#include "gxr/operator_swap.hpp"
#include "internal_api.hpp"
#include "plan/plan.hpp"
#include "registry/extension_copies.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// What somebody wants exchanged.
struct SwapRequest {
  std::string operator_name;  ///< "ENTITY" or "ENTITY/COMPONENT"
  std::string type;
  SwapOptions options;
};

/// Application::swap(). Any thread but those that tick.
class Swaps {
 public:
  /// Refers to all of them.
  Swaps(const Plan& plan, const TypeCatalog& catalog, ExtensionLoader& loader,
        CodeletExchange& exchange);

  /// Says in the log what became of it. Throws Error.
  GXR_INTERNAL_API SwapResult swap(const SwapRequest& request);

 private:
  struct Change;
  class Probation;

  SwapResult make_change(const SwapRequest& request);
  [[nodiscard]] ComponentId find(const std::string& operator_name) const;
  [[nodiscard]] bool is_in_graph(ComponentId id) const;
  void require_fits_graph(const Change& change, const TypeInfo& type);
  [[nodiscard]] const TypeInfo& find_type(const SwapRequest& request);
  void exchange(Change& change);
  void exchange_exclusively(Change& change);
  void start_exclusively(Change& change);
  void bring_back(Change& change, const ComponentFailure& cause);
  void exchange_beside(Change& change);
  void exchange_in_graph(Change& change);
  void adapt_graph(Turn& turn, Change& change);
  void judge(Change& change, std::unique_lock<std::mutex>& lock);
  void clear_away(Change& change);

  const Plan& plan_;
  const TypeCatalog& catalog_;
  ExtensionCopies copies_;
  std::set<EntityId> in_probation_;
  CodeletExchange& exchange_;
};

}  // namespace gxr
