// What a link's data sheet fields say, and whether they belong to a link of its type.
#include "input/platform_reader.hpp"

#include <algorithm>
#include <fmt/format.h>

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

bool is_one_of(int value, std::initializer_list<int> values) {
  return std::find(values.begin(), values.end(), value) != values.end();
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
                 mismatch(fmt::format("a field that a {} link does not have", type_name),
                          fields.allowed.size() == 1 ? in_quotes(fields.allowed[0])
                                                     : fmt::format("only {} and {}", in_quotes(fields.allowed[0]),
                                                                   in_quotes(fields.allowed[1]))));
  bool whole = true;
  for (const auto& field : fields.needed) {
    if (!link.contains(field) && !link.contains("bandwidth"))
      faults.add(place, fmt::format("the key {} is missing; a {} link needs it, or \"bandwidth\"", in_quotes(field),
                                    type_name));
    whole = whole && link.contains(field);
  }
  if (!whole)
    return std::nullopt;

  switch (type) {
  case LinkType::qpi:
  case LinkType::upi:
    return PointToPoint{read_field(link, place, "transfers", transfers_text, faults).value_or(TransfersPerSecond{1e9})};
  case LinkType::pcie: {
    const int lanes = link["lanes"].get<int>();
    if (!is_one_of(lanes, {1, 2, 4, 8, 12, 16, 32}))
      faults.add(place + "/lanes", mismatch(show(link["lanes"]), "1, 2, 4, 8, 12, 16 or 32"));
    return Pcie{link["generation"].get<int>(), lanes, read_max_payload(link, place, faults)};
  }
  case LinkType::peach2: return Pcie{2, 8, read_max_payload(link, place, faults)};
  case LinkType::infiniband: {
    const int lanes = link["lanes"].get<int>();
    if (!is_one_of(lanes, {1, 4, 8, 12}))
      faults.add(place + "/lanes", mismatch(show(link["lanes"]), "1, 4, 8 or 12"));
    return Infiniband{*read_name<InfinibandRate>(link, "signalling", infiniband_rate_names), lanes};
  }
  default: return LineRate{read_field(link, place, "line_rate", rate_text, faults).value_or(gigabytes_per_second(1))};
  }
}

} // namespace kakehashi
