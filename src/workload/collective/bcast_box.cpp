// A broadcast over a box of nodes on a torus: one rank of each node, its agent, takes part in three or six pipelined
// trees between the nodes. The other ranks of a node get the data from the agent in pieces by messages, in pieces from
// a buffer in shared memory, or by a broadcast inside the node after all has come. There is also a Reduce up these
// trees, and an Allreduce up and down.
#include "workload/collective/algorithms.hpp"
#include "workload/collective/tree.hpp"

#include <algorithm>
#include <numeric>

namespace kakehashi {
namespace {

// The agent of a node: the root on the root's node, the first rank on other nodes.
int agent_of(const Box& box, int root, int point) {
  return point == box.point_of[static_cast<std::size_t>(root)] ? root : box.first_at[static_cast<std::size_t>(point)];
}

// The ranks of this rank's node, numbered from the agent on.
Communicator around(const Communicator& comm, int agent) {
  return comm.my_node().rooted_at(comm.place_in_node(agent));
}

// How the data that comes to a node gets to its other ranks.
enum class Inside { messages, shared_buffer, broadcast };

// A pipeline through the ranks of a node. A vector of one segment uses a binomial tree.
Tree tree_in_node(const Communicator& node, const Blocks& segments) {
  return segments.count() > 1 ? chain_tree(node.rank(), node.size(), 1) : binomial_tree(node.rank(), node.size());
}

using Trees = std::vector<BoxTree>;

Trees trees_at(const Box& box, int count, int root_point, int point) {
  Trees trees;
  for (int tree = 0; tree < count; ++tree)
    trees.push_back(box_tree(box, tree, root_point, point));
  return trees;
}

int round_of(const Trees& trees, int segment) {
  return segment / static_cast<int>(trees.size());
}
// Segments go along the trees in turn.
const BoxTree& tree_of(const Trees& trees, int segment) {
  return trees[static_cast<std::size_t>(segment) % trees.size()];
}

// The order in which the segments come to a node: the deeper the node is in a tree, the later that tree's segments
// come. A node that waited for them in another order would hold up the nodes behind it.
std::vector<int> order_of(const Trees& trees, int segments) {
  std::vector<int> order(static_cast<std::size_t>(segments));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return round_of(trees, a) + tree_of(trees, a).depth < round_of(trees, b) + tree_of(trees, b).depth;
  });
  return order;
}

// The agent copies a segment into the shared buffer once. The model treats this as a message to the node's rank 1,
// which has no children in the tree. The other ranks learn of it along the tree.
Program show_in_node(Communicator node, Data segment) {
  co_await node.send(1, segment);
  for (const int child : binomial_tree(0, node.size()).children)
    if (child != 1)
      co_await node.send(child, Nothing{});
}

// All ranks copy the segment out at the same time, each with its own core.
Program read_in_node(Communicator node, Data segment) {
  const auto tree = binomial_tree(node.rank(), node.size());
  co_await node.receive(tree.parent);
  for (const int child : tree.children)
    co_await node.send(child, Nothing{});
  if (node.rank() != 1)
    co_await node.get(0, segment);
}

Program pass_in_node(Communicator node, Blocks segments, Data segment) {
  for (const int child : tree_in_node(node, segments).children)
    co_await node.send(child, segment);
}

Program run_agent(Communicator comm, Blocks segments, int root, Trees trees, std::vector<int> order, Inside inside) {
  const Box& box = *comm.group().box;
  // Number of posted receives, so that each tree's next segment can flow meanwhile.
  const std::size_t posted = 2 * trees.size();
  std::vector<Request> receives;
  std::vector<Request> sends;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (comm.rank() != root) {
      while (receives.size() < std::min(i + posted, order.size())) {
        const int parent = tree_of(trees, order[receives.size()]).parent;
        receives.push_back(co_await comm.ireceive(agent_of(box, root, parent)));
      }
      co_await comm.wait(receives[i]);
    }
    for (const int child : tree_of(trees, order[i]).children)
      sends.push_back(co_await comm.isend(agent_of(box, root, child), segments.block(order[i])));
    if (comm.has_nodes() && inside == Inside::shared_buffer)
      co_await show_in_node(around(comm, comm.rank()), segments.block(order[i]));
    else if (comm.has_nodes() && inside == Inside::messages)
      co_await pass_in_node(around(comm, comm.rank()), segments, segments.block(order[i]));
  }
  co_await comm.wait_all(std::move(sends));
}

Program run_inside(Communicator node, Blocks segments, std::vector<int> order, Inside inside) {
  if (inside == Inside::shared_buffer) {
    for (const int segment : order)
      co_await read_in_node(node, segments.block(segment));
    co_return;
  }
  const auto tree = tree_in_node(node, segments);
  Request next = co_await node.ireceive(tree.parent);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Request current = next;
    if (i + 1 < order.size())
      next = co_await node.ireceive(tree.parent);
    co_await node.wait(current);
    for (const int child : tree.children)
      co_await node.send(child, segments.block(order[i]));
  }
}

// This needs ranks that fill a box; others use a binomial tree.
Program run_box_trees(Communicator comm, Call call, int count, Inside inside) {
  const auto& box = comm.group().box;
  if (!box) {
    co_await bcast_binomial(comm, call);
    co_return;
  }
  const auto segments = Blocks::segments(call.blocks.total(), call.segment);
  const int root_point = box->point_of[static_cast<std::size_t>(call.root)];
  const int point = box->point_of[static_cast<std::size_t>(comm.rank())];
  const int agent = agent_of(*box, call.root, point);
  auto trees = trees_at(*box, count, root_point, point);
  auto order = order_of(trees, segments.count());
  if (comm.rank() == agent)
    co_await run_agent(comm, segments, call.root, std::move(trees), std::move(order), inside);
  else if (inside != Inside::broadcast)
    co_await run_inside(around(comm, agent), segments, std::move(order), inside);
  if (inside == Inside::broadcast && comm.has_nodes()) {
    call.root = comm.place_in_node(agent);
    co_await perform(comm.my_node(), Collective::bcast, call);
  }
}

// A segment on its way up to the root, where its sum is complete, or on its way down again.
struct Hop {
  int segment;
  bool down;
};

// The order of all hops of a node, up alone for a Reduce. The nearer a node is to the root, the later it acts in a
// tree's upward flow, and the earlier in the downward flow. So two nodes send and receive the segments between them in
// the same order.
std::vector<Hop> hops_of(const Box& box, const Trees& trees, int segments, bool spreads) {
  const int deepest = box.extent[0] + box.extent[1] + box.extent[2];
  std::vector<Hop> hops;
  for (const bool down : {false, true})
    for (int i = 0; i < segments && (spreads || !down); ++i)
      hops.push_back({i, down});
  const auto turn = [&](const Hop& hop) {
    const int depth = tree_of(trees, hop.segment).depth;
    return round_of(trees, hop.segment) + deepest + (hop.down ? depth : -depth);
  };
  std::stable_sort(hops.begin(), hops.end(), [&](const Hop& a, const Hop& b) { return turn(a) < turn(b); });
  return hops;
}

// The points from which a node gets a segment; in the other direction, those to which it sends it.
std::vector<int> from(const BoxTree& tree, bool down) {
  return !down ? tree.children : tree.parent < 0 ? std::vector<int>{} : std::vector{tree.parent};
}

Program reduce_and_spread(Communicator comm, Blocks segments, int root, Trees trees, std::vector<Hop> hops) {
  const Box& box = *comm.group().box;
  const std::size_t posted = 4 * trees.size(); // number of hops whose receives are posted, for both directions
  std::vector<std::vector<Request>> receives;
  std::vector<Request> sends;
  for (std::size_t i = 0; i < hops.size(); ++i) {
    while (receives.size() < std::min(i + posted, hops.size())) {
      const auto& hop = hops[receives.size()];
      receives.emplace_back();
      for (const int point : from(tree_of(trees, hop.segment), hop.down))
        receives.back().push_back(co_await comm.ireceive(agent_of(box, root, point)));
    }
    const int segment = hops[i].segment;
    const bool down = hops[i].down;
    const auto data = segments.block(segment);
    for (const auto request : receives[i]) {
      co_await comm.wait(request);
      if (!down)
        co_await comm.add(data.size);
    }
    for (const int point : from(tree_of(trees, segment), !down))
      sends.push_back(co_await comm.isend(agent_of(box, root, point), down ? data : data.to_add()));
  }
  co_await comm.wait_all(std::move(sends));
}

// A reduction inside each node; then segments go up the trees, and where they spread down again, each as soon as it
// can; then a broadcast inside each node. This needs ranks that fill a box; others use binomial trees.
Program run_reduction(Communicator comm, Call call, int count, bool spreads) {
  const auto& box = comm.group().box;
  if (!box) {
    co_await reduce_binomial(comm, call);
    if (spreads)
      co_await bcast_binomial(comm, call);
    co_return;
  }
  const int root = call.root;
  const int point = box->point_of[static_cast<std::size_t>(comm.rank())];
  const int agent = agent_of(*box, root, point);
  call.root = comm.has_nodes() ? comm.place_in_node(agent) : 0;
  if (comm.has_nodes())
    co_await perform(comm.my_node(), Collective::reduce, call);
  if (comm.rank() == agent) {
    const auto segments = Blocks::segments(call.blocks.total(), call.segment);
    auto trees = trees_at(*box, count, box->point_of[static_cast<std::size_t>(root)], point);
    auto hops = hops_of(*box, trees, segments.count(), spreads);
    co_await reduce_and_spread(comm, segments, root, std::move(trees), std::move(hops));
  }
  if (spreads && comm.has_nodes())
    co_await perform(comm.my_node(), Collective::bcast, call);
}

} // namespace

Program bcast_box_trees(Communicator comm, Call call) {
  return run_box_trees(comm, call, box_trees, Inside::messages);
}
Program bcast_box_six_trees(Communicator comm, Call call) {
  return run_box_trees(comm, call, mirrored_box_trees, Inside::messages);
}
Program bcast_box_trees_shared(Communicator comm, Call call) {
  return run_box_trees(comm, call, box_trees, Inside::shared_buffer);
}
Program bcast_box_trees_by_node(Communicator comm, Call call) {
  return run_box_trees(comm, call, box_trees, Inside::broadcast);
}
Program reduce_box_trees(Communicator comm, Call call) {
  return run_reduction(comm, call, box_trees, false);
}
Program reduce_box_six_trees(Communicator comm, Call call) {
  return run_reduction(comm, call, mirrored_box_trees, false);
}
Program allreduce_box_trees(Communicator comm, Call call) {
  return run_reduction(comm, call, box_trees, true);
}
Program allreduce_box_six_trees(Communicator comm, Call call) {
  return run_reduction(comm, call, mirrored_box_trees, true);
}

} // namespace kakehashi
