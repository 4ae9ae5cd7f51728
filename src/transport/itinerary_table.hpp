// Chains and message sizes → itineraries. Chains that differ in nothing but their channels share them, so that there
// are as many as there are classes of paths and sizes, however many pairs of devices there are.
#pragma once

#include "transport/chain_table.hpp"
#include "transport/itinerary.hpp"

#include <unordered_map>

namespace kakehashi {

class ItineraryTable {
public:
  explicit ItineraryTable(const ChainTable& chains) : chains_(chains) {}

  // Its chain may be another one of the class.
  const Itinerary& find(std::uint32_t chain, Bytes size) {
    if (chain >= class_of_chain_.size() || class_of_chain_[chain] == none)
      classify(chain);
    auto& of_class = classes_[class_of_chain_[chain]];
    if (!of_class.last || of_class.last_size != size)
      of_class.look_up(size);
    return *of_class.last;
  }

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Class {
    const Chain* chain = nullptr; // the first
    std::unordered_map<std::uint64_t, Itinerary> by_size;
    Bytes last_size;
    const Itinerary* last = nullptr;

    void look_up(Bytes size);
  };
  void classify(std::uint32_t chain);

  const ChainTable& chains_;
  std::vector<std::uint32_t> class_of_chain_;
  std::vector<Class> classes_;
};

} // namespace kakehashi
