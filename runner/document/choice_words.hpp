#pragma once

#include <string_view>
#include <vector>

#include "gxr/type_info.hpp"
#include "internal_api.hpp"

namespace gxr {

/// The word that can be written for a number that is a choice: what stands before the colon of its
/// description ("pop: the oldest message is dropped"), or the description when it is one word.
/// Empty when there is none.
[[nodiscard]] GXR_INTERNAL_API std::string_view word_of(const Choice& choice) noexcept;
/// What the description says beside that word.
[[nodiscard]] GXR_INTERNAL_API std::string_view text_beside_word(const Choice& choice) noexcept;

/// The number that a choice stands for: "2", "0x2", "-1.5". 0 when it is none.
[[nodiscard]] double number_of(const Choice& choice) noexcept;

/// The only choice with this word, in upper or lower case; nullptr when there is none.
[[nodiscard]] const Choice* find_word(const std::vector<Choice>& choices, std::string_view text);

}  // namespace gxr
