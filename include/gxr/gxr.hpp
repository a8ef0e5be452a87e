#pragma once

/// All that an extension author includes.
#include "gxr/allocator.hpp"
#include "gxr/clock.hpp"
#include "gxr/codelet.hpp"
#include "gxr/component.hpp"
#include "gxr/error.hpp"
#include "gxr/extension.hpp"
#include "gxr/interface.hpp"
#include "gxr/message.hpp"
#include "gxr/parameter.hpp"
#include "gxr/queue.hpp"
#include "gxr/scheduler.hpp"
#include "gxr/scheduling_term.hpp"
#include "gxr/tensor.hpp"
#include "gxr/timestamp.hpp"
#include "gxr/value.hpp"
