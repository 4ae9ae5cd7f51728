// What options state, the parts of one node, and a network → a machine that can run.
#pragma once

#include "base/error.hpp"
#include "input/import/formats.hpp"
#include "model/blueprint.hpp"

#include <string>

namespace kakehashi {

// Reads "HDR", "HDR100", "NDR200", "OPA", "100GbE", "25 Gbit/s" as a cable of that rate, with an assumed latency.
std::optional<Cable> parse_cable(std::string_view rate);

// "fat-tree:HDR:36".
struct NetworkLine {
  NetworkShape shape; // it joins the nodes' adapters or, in rings and tori, a router for each point
  Cable cable;
  std::size_t rails = 1;   // networks, which the adapters of a node join in turn
  std::size_t uplinks = 0; // of each rail's switch to what joins the rails; 0: nothing does

  bool has_routers() const { return shape.kind == NetworkKind::ring || shape.kind == NetworkKind::torus; }
};

// Reads KIND:RATE with the parameters of the kind (see network_forms), or RATE alone for one switch, and "+sharp" after
// either. `rails`: number of
// adapters of a node with a port in the network. Errors: the line is none of these, or the network has no room for the
// nodes.
Result<NetworkLine> read_network_line(const std::string& text, std::size_t nodes, std::size_t rails);

// Returns the cable of the line's rate, whatever its kind is. Errors: there is none.
Result<Cable> cable_of_line(const std::string& line);

// A line for each kind, for the help.
std::string_view network_forms();

// Numbers from a data sheet. Empty texts and 0 mean: not stated.
struct DataSheet {
  int sockets = 0;
  int cores = 0;         // per socket
  std::string processor; // the processor's name, which shows its family
  std::string memory;    // per socket: channels and MT/s, "8x3200"
  std::string cache;     // per socket, "256 MiB"

  bool states_any() const;
};

// Errors: a text has another form. Missing numbers follow from the processor's family, or are assumed.
Result<Imported> read_data_sheet(const DataSheet& sheet);

// Puts what the sheet states of sockets into a node of a file, in place of what the file states. The GPUs of a node
// whose sockets are assumed are dealt to the stated number of them. Errors: also if the file has other sockets.
Errors complete(Assembly& node, const DataSheet& sheet);

// Returns the adapters of a node that take a cable of this type.
std::vector<std::string> adapters_for(const Assembly& node, LinkType type);

// The rate of an adapter's slot; 0 if it has none.
BytesPerSecond slot_rate(const Assembly& node, const std::string& adapter);

// Stated as "2", "NDR:2" or "hca0,mlx5_3".
struct WantedAdapters {
  std::size_t count = 0;          // 0: those of the rule
  std::string rate;               // rate of their cables; empty: not stated
  std::vector<std::string> names; // names by the node's or the system's name; empty: not stated
};
Result<WantedAdapters> read_adapters(const std::string& text);

// Sets those of a node that join the network: the stated ones. Without names all that are for this network, but if only
// some of them are no bonds, are below a switch with a GPU, or have a fast slot, then these. It adds what is missing,
// dealt out to the sockets. Notes state what was left out or added. Errors: the node has no adapter of a stated name.
Errors choose_adapters(Assembly& node, const Cable& cable, const WantedAdapters& wanted,
                       std::vector<std::string>& notes);

// A node for the network's hosts if nothing describes one: one socket.
Assembly plain_node();

// Makes a single node without a network.
Blueprint compose(const std::string& name, const Assembly& node);
// Makes the machine of a network. A node without an adapter for the network gets one. Notes state what was added.
Blueprint compose(const std::string& name, Assembly node, const NetworkPlan& network, std::vector<std::string>& notes);
// Makes `nodes` equal nodes.
Blueprint compose(const std::string& name, Assembly node, const NetworkLine& network, std::size_t nodes,
                  std::vector<std::string>& notes);

// Joins the nodes, of which there are `nodes`, in such domains in their order.
void add_domains(Blueprint& blueprint, const NvlinkDomain& domain, std::size_t nodes);

// Completes a file's node by the data sheet of its type: what the file does not state is taken from the sheet, and what
// it assumes is replaced. `keeps_slots`: those of --pcie stay. Notes state what the two disagree on. Errors: they have
// other GPUs.
Errors complete(Assembly& node, const Assembly& sheet, const std::string& name, bool keeps_slots,
                std::vector<std::string>& notes);

// Adds fabrics for all kinds of messages on this machine, with assumed costs of software, unless it has fabrics.
void add_fabrics(Blueprint& blueprint);

} // namespace kakehashi
