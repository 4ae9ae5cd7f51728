#include "input/platform/part_readers.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

using nlohmann::json;

bool contains(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void check_lanes(const json& link, const LinkRating& rating, const std::vector<int>& widths, const std::string& place,
                 Faults& faults) {
  if (rating.lanes && !widths.empty() && std::find(widths.begin(), widths.end(), *rating.lanes) == widths.end())
    faults.add(place + "/lanes", mismatch(show(link["lanes"]), fmt::format("one of {}", fmt::join(widths, ", "))));
}

// Packets carry a power of two of bytes, from 128 to 4096 (PCI Express base specification, Max_Payload_Size).
void check_max_payload(const json& link, const LinkRating& rating, const std::string& place, Faults& faults) {
  const auto bytes = rating.max_payload.count;
  if (bytes < 128 || bytes > 4096 || !std::has_single_bit(bytes))
    faults.add(place + "/max_payload", mismatch(show(link["max_payload"]), "128, 256, 512, 1024, 2048 or 4096 B"));
}

std::optional<LinkRating> read_rating(const json& link, LinkType type, const std::string& place, Faults& faults) {
  const auto& row = row_of(type);
  for (const auto& field : fields_of<LinkRating>())
    if (const std::string name(field.name); link.contains(name) && !contains(row.takes, name))
      faults.add(pointer_to(place, name), fmt::format("links of type {} do not take this key; they take \"{}\"",
                                                      row.name, fmt::join(row.takes, "\", \"")));
  bool whole = true;
  for (const auto field : row.needs) {
    if (!link.contains(field) && !link.contains("bandwidth"))
      faults.add(place, fmt::format("the key {} is missing; links of type {} need it, or \"bandwidth\"",
                                    in_quotes(std::string(field)), row.name));
    whole = whole && link.contains(field);
  }
  // Reads every field even if others are missing, so as to find all faults.
  const auto rating = read_fields<LinkRating>(link, place, {}, faults);
  check_lanes(link, rating, row.widths, place, faults);
  check_max_payload(link, rating, place, faults);
  if (!whole)
    return std::nullopt;
  return rating;
}

} // namespace

Link read_link(const json& entry, const std::string& place, Faults& faults, Link link) {
  link = read_fields(entry, place, {}, faults, std::move(link));
  link.rating = read_rating(entry, link.type, place, faults);
  if (entry.contains("source"))
    link.source = std::make_shared<const Source>(read_source(entry["source"], place + "/source", faults));
  return link;
}

} // namespace kakehashi
