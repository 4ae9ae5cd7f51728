// The Tofu network of a platform file; what it becomes is in tests/unit/topology.
#include "input/platform/small_platform.hpp"

namespace kakehashi {
namespace {

const auto tofu = nlohmann::json::parse(R"({
  "name": "p",
  "templates": {"t": {
    "devices": [{"name": "cpu", "kind": "cpu"}, {"name": "icc", "kind": "tofu"}],
    "links": [{"between": ["cpu", "icc"], "type": "tofu", "bandwidth": "15 GB/s"}]}},
  "tofu": {"shape": [1, 1, 1], "node": "t", "link": {"bandwidth": "4.76 GB/s"}},
  "fabrics": {"f": {"links": ["tofu"], "rules": [{"regimes": [{"from": "0 B"}]}]}}})");

TEST(Tofu, IsRefusedForItsFaults) {
  const std::vector<Reject> table{
      {"/tofu/node", "\"u\"", "p.json: /tofu/node: got \"u\", expected the name of a template (did you mean \"t\"?)"},
      {"/templates/t/devices/-", R"({"name": "other", "kind": "tofu"})",
       "p.json: /tofu/node: got \"t\", which has 2 devices of kind tofu, expected a template that has one"},
      {"/tofu/link", "{}",
       "p.json: /tofu/link: the key \"line_rate\" is missing; links of type tofu need it, or "
       "\"bandwidth\""},
      {"/tofu/shape", "[100, 100, 100]", "p.json: /tofu/shape: got 24000000 devices, expected at most 200000"},
      {"/nodes", R"({"x1y0z0": "t"})",
       "p.json: /nodes/x1y0z0: got \"x1y0z0\", which is a node of \"tofu\", expected another name"}};
  for (const auto& [place, value, errors] : table)
    EXPECT_EQ(errors_of(read(patched(tofu, place, value))), errors) << place << " = " << value;
}

TEST(Tofu, StandsBesideOtherNodes) {
  auto root = patched(tofu, "/nodes", R"({"login": "t"})");
  root =
      patched(root, "/links", R"([{"between": ["login.icc", "x0y0z0.icc"], "type": "tofu", "bandwidth": "1 GB/s"}])");
  const auto platform = read(root);
  ASSERT_EQ(errors_of(platform), "no errors");
  EXPECT_EQ(platform->nodes.size(), 13U);
  EXPECT_EQ(platform->nodes.back(), "login");
  EXPECT_EQ(platform->torus->extent, (TorusPoint{1, 1, 1, 2, 3, 2}));
}

TEST(Tofu, HasAJobOfUpToThreeDimensions) {
  const auto point_of_last = [](const char* job) {
    const auto platform = read(patched(tofu, "/tofu/job", job));
    return job_point(*platform->torus, 11);
  };
  EXPECT_EQ(point_of_last("\"line\""), (BoxPoint{11, 0, 0}));
  EXPECT_EQ(point_of_last("\"plane\""), (BoxPoint{5, 1, 0}));
  EXPECT_EQ(point_of_last("\"box\""), (BoxPoint{1, 2, 1}));
  EXPECT_EQ(read(tofu)->torus->job, JobShape::box);
}

} // namespace
} // namespace kakehashi
