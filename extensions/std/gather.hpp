#pragma once

#include <cstdint>
#include <vector>

#include "gxr/gxr.hpp"

namespace gxr {

/// Brings the messages of several receivers onto one transmitter.
class Gather final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;

 private:
  void find_inputs();
  void warn_of_unlisted(const std::vector<Handle<Receiver>>& listed) const;
  void drain(Receiver& source);

  Output<> sink_;
  Parameter<std::vector<Handle<Receiver>>> sources_;
  Parameter<std::int64_t> tick_source_limit_;
  std::vector<Receiver*> inputs_;
};

}  // namespace gxr
