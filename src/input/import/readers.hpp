// Files about machines → a node, a network, or a whole machine.
#pragma once

#include "input/import/format.hpp"

namespace kakehashi {

struct XmlFile;

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

} // namespace kakehashi
