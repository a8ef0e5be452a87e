#include "hello_world.hpp"

namespace gxr::sample {

void HelloWorld::start() { log_info("Hello world from start"); }
void HelloWorld::tick() { log_info("Hello world from tick"); }
void HelloWorld::stop() { log_info("Hello world from stop"); }

}  // namespace gxr::sample
