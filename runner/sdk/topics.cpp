#include "gxr/topics.hpp"

namespace gxr {

TopicBrowser::~TopicBrowser() = default;

}  // namespace gxr
