#include "workload/collective/libraries.hpp"

#include "scratch_folder.hpp"
#include "workload/collective/selector.hpp"

#include <fstream>
#include <gtest/gtest.h>

namespace kakehashi {
namespace libraries_test {

// A number that changes with any of the choices on a grid around the usual borders.
std::uint64_t digest(Selector selector) {
  Library library;
  library.selector = selector;
  std::uint64_t digest = 1469598103934665603U;
  const auto add = [&](std::uint64_t value) { digest = (digest ^ value) * 1099511628211U; };
  for (const int ranks : {2, 3, 7, 8, 9, 16, 31, 32, 61, 64, 128, 512})
    for (const int on_a_node : {1, 4, 28}) {
      std::vector<int> nodes;
      for (int i = 0; i < ranks; ++i)
        nodes.push_back(i / on_a_node);
      const auto world = make_world(nodes);
      for (std::size_t i = 0; i < collective_count; ++i)
        for (std::uint64_t size = 1; size <= 1 << 22; size *= 2)
          for (const auto bytes : {size - 1, size}) {
            const auto choice = choose(library, static_cast<Collective>(i), world, Blocks::equal({bytes}, ranks));
            for (const char c : to_text(choice))
              add(static_cast<unsigned char>(c));
          }
    }
  return digest;
}

// What each library decides, so that a change of one table shows in those that follow it.
TEST(Libraries, DecideAsTheirFilesSay) {
  const std::vector<std::uint64_t> known{
      3526568954827657592U, 5592429985480888267U,  16741725646549568676U, 1895556108378179177U,
      9631794004383306607U, 9202698305240546669U,  12525450967992151569U, 549685736429179321U,
      549685736429179321U,  10999682639468412040U, 15909211422076421005U, 14281284544225439694U,
      1489212338643845163U, 15959961654971831368U, 15959961654971831368U, 13196983532257442988U,
      6896457461254911488U, 6896457461254911488U,  6896457461254911488U,  17570629762530225499U};
  ASSERT_EQ(known.size(), selector_names.size());
  for (std::size_t i = 0; i < selector_names.size(); ++i)
    EXPECT_EQ(digest(static_cast<Selector>(i)), known[i]) << selector_names[i];
}

TEST(Libraries, HaveNoFaults) {
  for (std::size_t i = 0; i < selector_names.size(); ++i) {
    EXPECT_EQ(library_of(static_cast<Selector>(i)).name, selector_names[i]);
    EXPECT_TRUE(faults_of_library(static_cast<Selector>(i)).empty());
  }
}

TEST(Libraries, MayBeAUsersOwn) {
  const auto file = scratch_file("own_library.json");
  std::ofstream(file) << R"({"name": "mine", "follows": "mpich-4", "source": "measured", "tables": [
    {"operation": "allgather", "rows": [{"algorithm": "ring", "bytes_from": 100}]}]})";
  const auto own = read_own_library(file);
  ASSERT_TRUE(own);
  Library library;
  library.selector = followed_by(**own);
  library.rules = std::make_shared<const CollectiveRules>(rules_of(*own, file));
  EXPECT_EQ(library.selector, Selector::mpich_4);
  const auto chosen = [&](std::uint64_t all) {
    return to_text(choose(library, Collective::allgather, make_world(std::vector{0, 1}), Blocks::even({all}, 2)));
  };
  EXPECT_EQ(chosen(99), "recursive-doubling");
  EXPECT_EQ(chosen(100), "ring");
  std::ofstream(file) << R"({"name": "mine", "source": "measured"})";
  EXPECT_EQ(to_text(read_own_library(file).errors().front()),
            file + ": /tables: barrier has no row that always holds, and no library is followed");
}

} // namespace libraries_test
} // namespace kakehashi
