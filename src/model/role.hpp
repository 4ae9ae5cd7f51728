// How much the agreement of a prediction with its document proves.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace kakehashi {

// input: the figure itself is the source of a parameter, so the model only reads it back. fit: parameters were fitted
// to it. prediction: it follows from parameters of which none was set from it. ordering: as prediction, but it only
// bounds which of two is better, or where that changes.
enum class Role { input, fit, prediction, ordering };
inline constexpr std::array<std::string_view, 4> role_names{"input", "fit", "prediction", "ordering"};

// "-" if there is no role yet.
constexpr std::string_view role_text(const std::optional<Role>& role) {
  return role ? role_names[static_cast<std::size_t>(*role)] : "-";
}

} // namespace kakehashi
