// Ways and message sizes → itineraries. Ways with equal terms share an itinerary, so there are only as many as classes
// of ways and sizes, however many pairs of devices there are.
#pragma once

#include "transport/itinerary.hpp"
#include "transport/way_table.hpp"

#include <map>
#include <unordered_map>

namespace kakehashi {

class ItineraryTable {
public:
  explicit ItineraryTable(const WayTable& ways) : ways_(ways) {}

  const Itinerary& find(std::uint32_t way, Bytes size) {
    if (way >= class_of_way_.size() || class_of_way_[way] == none)
      classify(way);
    auto& of_class = classes_[class_of_way_[way]];
    if (!of_class.last || of_class.last_size != size)
      of_class.look_up(size);
    return *of_class.last;
  }

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Class {
    const WayTerms* terms = nullptr;
    std::unordered_map<std::uint64_t, Itinerary> by_size;
    Bytes last_size;
    const Itinerary* last = nullptr;

    void look_up(Bytes size);
  };
  void classify(std::uint32_t way);

  const WayTable& ways_;
  std::map<WayTerms, std::uint32_t> class_of_;
  std::vector<std::uint32_t> class_of_way_;
  std::vector<Class> classes_;
};

} // namespace kakehashi
