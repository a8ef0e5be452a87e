#pragma once

#include "common/logger.hpp"
