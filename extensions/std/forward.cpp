#include "forward.hpp"

namespace gxr {

void Forward::declare(Interface& interface) {
  interface.input(in_, "in", "Messages to pass on");
  interface.output(out_, "out", "The same messages");
  interface.passes_each_message();
}

// Not out_.publish(), which would move the message once more.
void Forward::tick() { out_->publish(in_->receive_unfinished()); }

}  // namespace gxr
