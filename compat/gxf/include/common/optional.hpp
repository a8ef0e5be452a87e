#pragma once

#include <optional>
