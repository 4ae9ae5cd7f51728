// The formats from which machines are imported, one row each, their readers, and what an import gives.
#pragma once

#include "base/error.hpp"
#include "model/blueprint.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace kakehashi {

struct GpuType;
struct XmlFile;

// A machine, as far as the imported file describes it.
struct Imported {
  std::optional<Assembly> node;       // one node
  std::optional<NetworkPlan> network; // links between nodes
  std::optional<Blueprint> machine;   // nodes and network; then the two members above are empty
  std::string description;            // the imported file's description
  std::vector<std::string> notes;     // notes for the user: what the file lacks
};

// The beginning of a file, by which its format is recognised.
struct Sample {
  std::string_view text;
  std::string xml_root; // the name of its first element; empty: it is no XML
};

// Facts that the user states because files lack them.
struct ImportOptions {
  std::optional<Cable> cable{}; // the cable of a network's links
  int generation = 0;           // generation of the PCIe slots; 0: not stated
  const GpuType* gpu = nullptr; // the type of all GPUs; null: not stated
};

struct ImportFormat {
  std::string_view name; // name for messages
  std::string_view how;  // how a user gets such a file
  bool (*fits)(const Sample& sample);
  Result<Imported> (*read)(std::string text, const std::string& file, const ImportOptions& options);
};
std::span<const ImportFormat> import_formats();

// "-" is standard input. Errors: the file cannot be read, has no known format, or lacks what the format needs; the
// message states how to get a better file.
Result<Imported> import_file(const std::string& file, const ImportOptions& options = {});
Result<Imported> import_text(std::string text, const std::string& file, const ImportOptions& options = {});

// Reads the XML of lstopo, hwloc 1.0 to 3: sockets, cards, and the PCIe switches between them. It does not use
// libhwloc, which refuses files of later versions: Debian 12's does not read those of hwloc 3.
Result<Imported> read_hwloc(const XmlFile& xml, const ImportOptions& options);
// Reads the machine on which this runs, with libhwloc. Errors: libhwloc cannot inspect the machine.
Result<Imported> read_this_machine(const ImportOptions& options);
// NCCL's topology (NCCL_TOPO_DUMP_FILE): sockets, GPUs, adapters, switches, NVLinks.
Result<Imported> read_nccl(const XmlFile& xml, const ImportOptions& options);
// SimGrid's platform XML: a node for each host, switches, and links.
Result<Imported> read_simgrid(const XmlFile& xml, const ImportOptions& options);

// InfraGraph's YAML or JSON.
bool is_infragraph(const Sample& sample);
Result<Imported> read_infragraph(std::string text, const std::string& file, const ImportOptions& options);

// The matrix that `nvidia-smi topo -m` prints.
bool is_nvidia_matrix(const Sample& sample);
Result<Imported> read_nvidia_matrix(std::string text, const std::string& file, const ImportOptions& options);

// The tables that `rocm-smi --showtopo` prints.
bool is_rocm_matrix(const Sample& sample);
Result<Imported> read_rocm_matrix(std::string text, const std::string& file, const ImportOptions& options);

// The tables that `amd-smi topology` prints.
bool is_amd_matrix(const Sample& sample);
Result<Imported> read_amd_matrix(std::string text, const std::string& file, const ImportOptions& options);

// The output of `ibnetdiscover`.
bool is_ibnetdiscover(const Sample& sample);
Result<Imported> read_ibnetdiscover(std::string text, const std::string& file, const ImportOptions& options);

// Slurm's topology.conf, of its plugin topology/tree.
bool is_slurm_topology(const Sample& sample);
Result<Imported> read_slurm_topology(std::string text, const std::string& file, const ImportOptions& options);

// Slurm's topology.yaml, from 25.05 on: the topology of the cluster, if it is a tree.
bool is_slurm_yaml(const Sample& sample);
Result<Imported> read_slurm_yaml(std::string text, const std::string& file, const ImportOptions& options);

// Reads "n[01-03,7],login" as n01, n02, n03, n7, login. Nothing: it has another form, or names more than 10000 nodes.
std::optional<std::vector<std::string>> expand_hosts(std::string_view list);

// Adds the links of the matrices of bandwidths between GPUs, and to sockets, in lstopo's XML. `names` has the device of
// the node for each bus id, `sockets` that for each number (gp_index) of an object.
void add_nvlinks(const XmlFile& xml, const std::map<std::string, std::string>& names,
                 const std::map<std::string, std::string>& sockets, Assembly& node);

} // namespace kakehashi
