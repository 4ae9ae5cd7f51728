// Which ranks fill a box, and the trees over it.
#include "workload/collective/box.hpp"

#include <gtest/gtest.h>
#include <numeric>
#include <set>

namespace kakehashi {
namespace {

std::vector<NodePoint> all_points(const NodePoint& extent, int ranks_per_node) {
  std::vector<NodePoint> points;
  for (int z = 0; z < extent[2]; ++z)
    for (int y = 0; y < extent[1]; ++y)
      for (int x = 0; x < extent[0]; ++x)
        points.insert(points.end(), static_cast<std::size_t>(ranks_per_node), NodePoint{x, y, z});
  return points;
}

std::optional<Box> box_of(const std::vector<NodePoint>& points) {
  std::vector<int> members(points.size());
  std::iota(members.begin(), members.end(), 0);
  return make_box(members, points);
}

TEST(Box, IsWhatAllRanksFill) {
  const auto box = box_of(all_points({3, 2, 2}, 4));
  ASSERT_TRUE(box);
  EXPECT_EQ(box->extent, (NodePoint{3, 2, 2}));
  EXPECT_EQ(box->point_of[4], 1);
  EXPECT_EQ(box->first_at[3], 12); // x 0, y 1, z 0
}

TEST(Box, MayLieAnywhereAndBeListedInAnyOrder) {
  const auto box = box_of({{5, 2, 1}, {4, 2, 1}, {4, 3, 1}, {5, 3, 1}});
  ASSERT_TRUE(box);
  EXPECT_EQ(box->extent, (NodePoint{2, 2, 1}));
  EXPECT_EQ(box->point_of, (std::vector<int>{1, 0, 2, 3}));
}

TEST(Box, IsNoneWithHolesOrUnequalNodes) {
  EXPECT_FALSE(box_of({}));
  EXPECT_FALSE(box_of({{0, 0, 0}, {0, 0, 0}}));                       // one node
  EXPECT_FALSE(box_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));            // a corner is missing
  EXPECT_FALSE(box_of({{0, 0, 0}, {0, 0, 0}, {1, 0, 0}}));            // two ranks and one
  EXPECT_FALSE(box_of({{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}})); // as many ranks as points
}

// Every point is reached over steps between neighbours, and what a point calls its children calls it its parent.
TEST(BoxTrees, SpanTheBoxFromAnyRoot) {
  for (const NodePoint extent : {NodePoint{8, 6, 8}, {3, 3, 3}, {2, 3, 2}, {4, 1, 3}, {1, 1, 5}, {2, 1, 1}}) {
    const auto box = *box_of(all_points(extent, 1));
    for (const int root : {0, box.points() / 2, box.points() - 1})
      for (int tree = 0; tree < mirrored_box_trees; ++tree) {
        std::vector<int> reached{root};
        for (std::size_t i = 0; i < reached.size() && reached.size() <= static_cast<std::size_t>(box.points()); ++i)
          for (const int child : box_tree(box, tree, root, reached[i]).children) {
            EXPECT_EQ(box_tree(box, tree, root, child).parent, reached[i]);
            reached.push_back(child);
          }
        EXPECT_EQ(std::set<int>(reached.begin(), reached.end()).size(), static_cast<std::size_t>(box.points()));
        EXPECT_EQ(reached.size(), static_cast<std::size_t>(box.points()));
      }
  }
}

TEST(BoxTrees, ShareNoLinkOfATorus) {
  for (const NodePoint extent : {NodePoint{8, 6, 8}, {3, 3, 3}, {4, 3, 5}}) {
    const auto box = *box_of(all_points(extent, 1));
    const int root = 17;
    std::set<std::pair<int, int>> steps;
    for (int tree = 0; tree < mirrored_box_trees; ++tree) {
      EXPECT_EQ(box_tree(box, tree, root, root).children.size(), 1U); // so the root sends each share once
      for (int point = 0; point < box.points(); ++point)
        if (point != root) {
          EXPECT_TRUE(steps.emplace(box_tree(box, tree, root, point).parent, point).second) << tree << " " << point;
        }
    }
  }
}

} // namespace
} // namespace kakehashi
