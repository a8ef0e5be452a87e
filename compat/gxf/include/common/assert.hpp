#pragma once

#include <cstring>
#include <string>

#include "common/logger.hpp"
#include "common/panic.hpp"

// Failures write a PANIC line and throw nvidia::Panic.

#define GXF_PANIC(...) \
  { ::nvidia::RaisePanic(__FILE__, __LINE__, __VA_ARGS__); }

/// GXF_ASSERT(expression, format, arguments...)
#define GXF_ASSERT(expression, ...)                          \
  {                                                          \
    if (!(expression)) {                                     \
      ::nvidia::RaisePanic(__FILE__, __LINE__, __VA_ARGS__); \
    }                                                        \
  }

#define GXF_ASSERT_SUCCESS(result)                                                              \
  {                                                                                             \
    const auto gxf_assert_result = (result);                                                    \
    if (gxf_assert_result != 0) {                                                               \
      ::nvidia::RaisePanic(__FILE__, __LINE__, "%s is not successful: result code %d", #result, \
                           static_cast<int>(gxf_assert_result));                                \
    }                                                                                           \
  }

#define GXF_ASSERT_TRUE(a) GXF_ASSERT(a, "%s is false", #a)
#define GXF_ASSERT_FALSE(a) GXF_ASSERT(!(a), "%s is true", #a)

#define GXF_ASSERT_COMPARED_(a, b, holds, relation)                                               \
  {                                                                                               \
    const auto& gxf_assert_a = (a);                                                               \
    const auto& gxf_assert_b = (b);                                                               \
    if (!(holds)) {                                                                               \
      ::nvidia::RaisePanic(__FILE__, __LINE__, "%s %s %s does not hold: %s and %s", #a, relation, \
                           #b, std::to_string(gxf_assert_a).c_str(),                              \
                           std::to_string(gxf_assert_b).c_str());                                 \
    }                                                                                             \
  }

#define GXF_ASSERT_EQ(a, b) GXF_ASSERT_COMPARED_(a, b, gxf_assert_a == gxf_assert_b, "==")
#define GXF_ASSERT_NE(a, b) GXF_ASSERT_COMPARED_(a, b, gxf_assert_a != gxf_assert_b, "!=")
#define GXF_ASSERT_GT(a, b) GXF_ASSERT_COMPARED_(a, b, gxf_assert_a > gxf_assert_b, ">")
#define GXF_ASSERT_GE(a, b) GXF_ASSERT_COMPARED_(a, b, gxf_assert_a >= gxf_assert_b, ">=")
#define GXF_ASSERT_LT(a, b) GXF_ASSERT_COMPARED_(a, b, gxf_assert_a < gxf_assert_b, "<")
#define GXF_ASSERT_LE(a, b) GXF_ASSERT_COMPARED_(a, b, gxf_assert_a <= gxf_assert_b, "<=")

/// The numbers differ by at most epsilon.
#define GXF_ASSERT_NEAR(a, b, epsilon)                                                           \
  GXF_ASSERT_COMPARED_(a, b,                                                                     \
                       (gxf_assert_a < gxf_assert_b ? gxf_assert_b - gxf_assert_a                \
                                                    : gxf_assert_a - gxf_assert_b) <= (epsilon), \
                       "is near")

#define GXF_ASSERT_STREQ(a, b)                                                                  \
  {                                                                                             \
    const char* const gxf_assert_a = (a);                                                       \
    const char* const gxf_assert_b = (b);                                                       \
    if (std::strcmp(gxf_assert_a, gxf_assert_b) != 0) {                                         \
      ::nvidia::RaisePanic(__FILE__, __LINE__, "%s == %s does not hold: '%s' and '%s'", #a, #b, \
                           gxf_assert_a, gxf_assert_b);                                         \
    }                                                                                           \
  }
