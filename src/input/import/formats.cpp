#include "input/import/formats.hpp"

#include "base/file.hpp"
#include "input/import/known_hardware.hpp"
#include "input/import/text_parts.hpp"

#include <array>
#include <fmt/format.h>

namespace kakehashi {
namespace {

template <Result<Imported> (*read)(const XmlFile&, const ImportOptions&)>
Result<Imported> from_xml(std::string text, const std::string& file, const ImportOptions& options) {
  const auto xml = parse_xml(std::move(text), file);
  if (!xml)
    return xml.errors();
  return read(*xml, options);
}

// Returns the first element's name, even if the XML is not well-formed after it.
std::string root_of(std::string_view text) {
  std::size_t at = 0;
  if (text.starts_with("\xef\xbb\xbf"))
    at = 3;
  while ((at = text.find_first_not_of(" \t\r\n", at)) != std::string_view::npos && text[at] == '<') {
    const auto rest = text.substr(at);
    if (rest.starts_with("<?") || rest.starts_with("<!")) {
      const std::string_view end = rest.starts_with("<!--") ? "-->" : rest.starts_with("<?") ? "?>" : ">";
      const auto found = text.find(end, at);
      if (found == std::string_view::npos)
        return "";
      at = found + end.size();
      continue;
    }
    return std::string(rest.substr(1, rest.find_first_of(" \t\r\n/>", 1) - 1));
  }
  return "";
}

} // namespace

std::span<const ImportFormat> import_formats() {
  static const std::array rows{
      ImportFormat{"lstopo's XML", "lstopo --whole-io node.xml",
                   [](const Sample& sample) { return sample.xml_root == "topology" || sample.xml_root == "root"; },
                   from_xml<read_hwloc>},
      ImportFormat{"NCCL's topology", "NCCL_TOPO_DUMP_FILE=node.xml in the environment of a job",
                   [](const Sample& sample) { return sample.xml_root == "system"; }, from_xml<read_nccl>},
      ImportFormat{"SimGrid's platform", "the file that smpirun takes with -platform",
                   [](const Sample& sample) { return sample.xml_root == "platform"; }, from_xml<read_simgrid>},
      ImportFormat{"the tables of rocm-smi", "rocm-smi --showtopo > node.txt", is_rocm_matrix, read_rocm_matrix},
      ImportFormat{"the tables of amd-smi", "amd-smi topology > node.txt", is_amd_matrix, read_amd_matrix},
      ImportFormat{"the matrix of nvidia-smi", "nvidia-smi topo -m > node.txt", is_nvidia_matrix, read_nvidia_matrix},
      ImportFormat{"ibnetdiscover's list", "ibnetdiscover > network.txt, as root", is_ibnetdiscover,
                   read_ibnetdiscover},
      ImportFormat{"Slurm's topology.conf", "/etc/slurm/topology.conf", is_slurm_topology, read_slurm_topology},
      ImportFormat{"Slurm's topology.yaml", "/etc/slurm/topology.yaml", is_slurm_yaml, read_slurm_yaml},
      ImportFormat{"InfraGraph", "infragraph's YAML or JSON", is_infragraph, read_infragraph},
  };
  return rows;
}

Result<Imported> import_text(std::string text, const std::string& file, const ImportOptions& options) {
  text = valid_text(std::move(text));
  const Sample sample{text, root_of(text)};
  for (const auto& format : import_formats())
    if (format.fits(sample)) {
      auto imported = format.read(std::move(text), file, options);
      if (imported && imported->node)
        note_gpus_without_nvlinks(*imported->node, imported->notes);
      return imported;
    }
  std::string known;
  for (const auto& format : import_formats())
    known += fmt::format("\n  {}: {}", format.name, format.how);
  std::string found = text.empty()                  ? "nothing"
                      : sample.xml_root == "graphs" ? "NCCL's channels (NCCL_GRAPH_DUMP_FILE)"
                      : !sample.xml_root.empty()    ? fmt::format("XML of <{}>", shortened(sample.xml_root, 40))
                                                    : "a text of no known form";
  return file_error(ErrorKind::input, file, mismatch(found, "one of these formats, which one gets by:" + known));
}

Result<Imported> import_file(const std::string& file, const ImportOptions& options) {
  auto text = file == "-" ? read_standard_input() : read_text(file);
  if (!text)
    return text.errors();
  return import_text(std::move(*text), file == "-" ? "standard input" : file, options);
}

} // namespace kakehashi
