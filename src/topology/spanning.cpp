#include "topology/spanning.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/kruskal_min_spanning_tree.hpp>

namespace kakehashi {

double spanning_bottleneck(std::size_t points, const std::function<double(std::size_t, std::size_t)>& weight) {
  using Weight = boost::property<boost::edge_weight_t, double>;
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, Weight>;
  Graph graph(points);
  for (std::size_t a = 0; a < points; ++a)
    for (std::size_t b = a + 1; b < points; ++b)
      boost::add_edge(a, b, weight(a, b), graph);
  std::vector<Graph::edge_descriptor> tree;
  boost::kruskal_minimum_spanning_tree(graph, std::back_inserter(tree));
  double largest = 0;
  for (const auto& edge : tree)
    largest = std::max(largest, boost::get(boost::edge_weight, graph, edge));
  return largest;
}

} // namespace kakehashi
