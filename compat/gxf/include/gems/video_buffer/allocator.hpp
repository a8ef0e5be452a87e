#pragma once

#include "gxf/std/gems/video_buffer/allocator.hpp"
