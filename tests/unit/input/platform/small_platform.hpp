// A small valid platform for tables of changes to it.
#pragma once

#include "input/json/patched.hpp"
#include "input/platform/platform_reader.hpp"

#include <gtest/gtest.h>

namespace kakehashi {

// Two nodes of a cpu and an adapter, cabled back to back.
inline const auto small = nlohmann::json::parse(R"({
  "name": "p",
  "templates": {"t": {
    "devices": [{"name": "cpu", "kind": "cpu"}, {"name": "hca", "kind": "hca"}],
    "links": [{"between": ["cpu", "hca"], "type": "pcie", "generation": 2, "lanes": 8}]}},
  "nodes": {"n1": "t", "n2": "t"},
  "links": [{"between": ["n1.hca", "n2.hca"], "type": "infiniband", "signalling": "QDR", "lanes": 4}],
  "fabrics": {"f": {
    "links": ["pcie", "infiniband"],
    "gateways": ["hca"],
    "rules": [{"regimes": [{"from": "0 B", "to": "1 KiB", "o_send": "1 us"}, {"from": "1 KiB", "trips": 3}]}]}}})");

inline const std::string rule = "/fabrics/f/rules/0";
inline const std::string eager = rule + "/regimes/0";
inline const std::string rendezvous = rule + "/regimes/1";
inline const std::string node = "/templates/t";
inline const std::string slot = node + "/links/0";

inline Result<Platform> read(const nlohmann::json& root) {
  const auto document = parse_json(root.dump(), "p.json");
  return document ? parse_platform(*document) : document.errors();
}

inline void expect_errors(const std::vector<Reject>& table) {
  for (const auto& [place, value, errors] : table)
    EXPECT_EQ(errors_of(read(patched(small, place, value))), errors) << place << " = " << value.substr(0, 200);
}

} // namespace kakehashi
