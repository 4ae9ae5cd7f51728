// How much it proves that a prediction agrees with its document.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace kakehashi {

// input: the source of a parameter that it follows is that very figure, so it is read back. fit: parameters were fitted
// to it. prediction: composed from parameters none of which was set from it. ordering: likewise, but it only bounds who
// wins, or where that turns.
enum class Role { input, fit, prediction, ordering };
inline constexpr std::array<std::string_view, 4> role_names{"input", "fit", "prediction", "ordering"};

// "-": it has none yet.
constexpr std::string_view role_text(const std::optional<Role>& role) {
  return role ? role_names[static_cast<std::size_t>(*role)] : "-";
}

} // namespace kakehashi
