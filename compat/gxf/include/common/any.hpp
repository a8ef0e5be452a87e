#pragma once

#include <any>
