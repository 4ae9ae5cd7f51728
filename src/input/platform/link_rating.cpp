// What a link's data sheet fields say, and whether they belong to a link of its type.
#include "input/platform/platform_reader.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

using nlohmann::json;

// The rating fields that a type of link takes, and those among them that it cannot do without.
struct RatingFields {
  std::vector<std::string> allowed;
  std::vector<std::string> needed;
};

const RatingFields& fields_of(LinkType type) {
  static const RatingFields transfers{{"transfers"}, {"transfers"}};
  static const RatingFields pcie{{"generation", "lanes", "max_payload"}, {"generation", "lanes"}};
  static const RatingFields infiniband{{"signalling", "lanes"}, {"signalling", "lanes"}};
  static const RatingFields line{{"line_rate"}, {"line_rate"}};
  static const RatingFields peach2{{"max_payload"}, {}};
  switch (type) {
  case LinkType::qpi:
  case LinkType::upi: return transfers;
  case LinkType::pcie: return pcie;
  case LinkType::infiniband: return infiniband;
  case LinkType::peach2: return peach2;
  default: return line;
  }
}

// Widths that the specifications of PCI Express and InfiniBand name.
int read_lanes(const json& link, LinkType type, const std::string& place, Faults& faults) {
  const std::vector<int> widths =
      type == LinkType::infiniband ? std::vector{1, 4, 8, 12} : std::vector{1, 2, 4, 8, 12, 16, 32};
  const int lanes = link.value("lanes", 1);
  if (std::find(widths.begin(), widths.end(), lanes) == widths.end())
    faults.add(place + "/lanes", mismatch(show(link["lanes"]), fmt::format("one of {}", fmt::join(widths, ", "))));
  return lanes;
}

// Packets carry powers of two from 128 to 4096 bytes (PCI Express base specification, Max_Payload_Size).
Bytes read_max_payload(const json& link, const std::string& place, Faults& faults) {
  const auto size = read_field(link, place, "max_payload", bytes_text, faults).value_or(Bytes{256});
  if (size.count < 128 || size.count > 4096 || (size.count & (size.count - 1)) != 0)
    faults.add(place + "/max_payload", mismatch(show(link["max_payload"]), "128, 256, 512, 1024, 2048 or 4096 B"));
  return size;
}

} // namespace

std::optional<LinkRating> read_rating(const json& link, LinkType type, const std::string& place, Faults& faults) {
  const auto& fields = fields_of(type);
  const auto type_name = name_of(link_type_names, type);
  for (const char* field : {"transfers", "generation", "lanes", "max_payload", "signalling", "line_rate"})
    if (link.contains(field) && std::find(fields.allowed.begin(), fields.allowed.end(), field) == fields.allowed.end())
      faults.add(pointer_to(place, std::string(field)),
                 fmt::format("links of type {} do not take this key; they take \"{}\"", type_name,
                             fmt::join(fields.allowed, "\", \"")));
  bool whole = true;
  for (const auto& field : fields.needed) {
    if (!link.contains(field) && !link.contains("bandwidth"))
      faults.add(place, fmt::format("the key {} is missing; links of type {} need it, or \"bandwidth\"",
                                    in_quotes(field), type_name));
    whole = whole && link.contains(field);
  }
  // Each field is read even if others are missing, so that its faults are told.
  const auto transfers = read_field(link, place, "transfers", transfers_text, faults);
  const auto line_rate = read_field(link, place, "line_rate", rate_text, faults);
  const auto max_payload = read_max_payload(link, place, faults);
  const auto lanes = read_lanes(link, type, place, faults);
  if (!whole)
    return std::nullopt;

  switch (type) {
  case LinkType::qpi:
  case LinkType::upi: return PointToPoint{transfers.value_or(TransfersPerSecond{1e9})};
  case LinkType::pcie: return Pcie{link["generation"].get<int>(), lanes, max_payload};
  case LinkType::peach2: return Pcie{2, 8, max_payload};
  case LinkType::infiniband:
    return Infiniband{*read_name<InfinibandRate>(link, "signalling", infiniband_rate_names), lanes};
  default: return LineRate{line_rate.value_or(gigabytes_per_second(1))};
  }
}

} // namespace kakehashi
