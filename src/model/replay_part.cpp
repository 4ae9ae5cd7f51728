#include "model/replay_part.hpp"

#include <fmt/format.h>

namespace kakehashi {

std::optional<PartBorder> border_of(std::string_view text) {
  constexpr std::string_view mark = "region ";
  if (text.starts_with(mark) && text.size() > mark.size())
    return PartBorder{{}, std::string(text.substr(mark.size())), std::string(text)};
  const auto time = parse_seconds(text);
  return time ? std::optional(PartBorder{*time, "", std::string(text)}) : std::nullopt;
}

bool ends_too_early(const ReplayPart& part) {
  return part.from && part.to && part.from->region.empty() && part.to->region.empty() &&
         part.to->time <= part.from->time;
}

std::string text_of(const ReplayPart& part, const std::string& file) {
  return fmt::format("{}{}{}{}", part.region.empty() ? "" : fmt::format("region {} of ", part.region), file,
                     part.from ? " from " + part.from->text : "", part.to ? " to " + part.to->text : "");
}

} // namespace kakehashi
