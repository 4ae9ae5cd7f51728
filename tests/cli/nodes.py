#!/usr/bin/env python3
"""Imports each shipped type of node, and files of such nodes in all formats, which lead to the same machine. Usage: nodes.py KAKEHASHI ROOT"""
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from calls import expect, failures, finish, kakehashi, root

SHEETS = sorted(path.stem for path in (root / "nodes").glob("*.json") if path.suffixes == [".json"])
NUMBERS = {"H100": "0x2330", "A100": "0x20b2", "MI300X": "0x74a1"}  # in PCI


def node_of(run, name):
    if run.returncode:
        failures.append(f"{name}: {run.stderr}")
        return None
    return json.loads(run.stdout)["templates"]


def slots(node):
    """What is above each device, and the link between them."""
    return {link["between"][1]: (link["between"][0], link) for link in node["links"] if link["type"] == "pcie"}


def facts(node):
    """Of each GPU: its model, memory, NVLinks' rates, the generations of PCIe up to the socket, and the adapters near it."""
    above, found = slots(node), []
    kinds = {device["name"]: device for device in node["devices"]}
    for gpu in [name for name, device in kinds.items() if device["kind"] == "gpu"]:
        rates = sorted(link.get("line_rate") or link["bandwidth"] for link in node["links"] if link["type"] == "nvlink" and gpu in link["between"])
        generations, at = [], gpu
        while at in above:
            at, link = above[at]
            generations.append((link.get("generation"), link.get("lanes")))
        near = [kinds[each].get("model") for each, (top, _) in above.items()
                if gpu in above and top == above[gpu][0] and kinds[each]["kind"] in ("hca", "nic")]
        found.append((kinds[gpu].get("model"), kinds[gpu].get("memory", {}).get("bandwidth"), rates, generations, near, at))
    return found


def sheets(folder):
    """Each is named in the list, makes platforms without faults, and runs between its GPUs at once."""
    listed = kakehashi("list", "nodes").stdout.splitlines()
    if [line.split()[0] for line in listed] != SHEETS:
        failures.append(f"list nodes: {listed}")
    for name in SHEETS:
        expect(name, kakehashi("import", "--node", name, "--nodes", "2", "-o", str(folder / "m.json")), 0, err=["assumed: one switch, "])
        expect(f"check of {name}", kakehashi("check", "--quiet", "m.json", cwd=folder), 0)
        platform = json.loads((folder / "m.json").read_text())
        fabric = "eth" if "eth" in platform["fabrics"] else "ib"
        scenario = {"name": "p", "platform": "m.json", "fabric": fabric, "ranks": ["node0.gpu0", "node1.gpu0"], "workload": {"benchmark": "imb-pingpong"}}
        (folder / "p.json").write_text(json.dumps(scenario))
        expect(f"ping-pong of {name}", kakehashi("simulate", "--quiet", "p.json", cwd=folder), 0, out=["4194304"])
        devices = platform["templates"]["node"]["devices"]
        bare = [each["name"] for each in devices if each["kind"] in ("gpu", "hca", "nic") and not each.get("model")]
        slow = [each["name"] for each in devices if each["kind"] == "gpu" and "bandwidth" not in each.get("memory", {})]
        if bare or slow or not all("source" in each for each in devices):
            failures.append(f"{name}: no model of {bare}, no memory of {slow}")


def tree(node, top, show):
    above = slots(node)
    return "".join(show(each, tree(node, each, show)) for each, (parent, _) in above.items() if parent == top)


def lstopo(node):
    kinds = {each["name"]: each for each in node["devices"]}
    count = iter(range(1, 1000))

    def show(name, below):
        bus = f"0000:{next(count):02x}:00.0"
        kind = kinds[name]["kind"]
        if kind == "switch":
            return f'<object type="Bridge" bridge_type="1-1" depth="1" pci_busid="{bus}" pci_type="0604 [1000:c030] [0000:0000] 00" pci_link_speed="63.015385">{below}</object>'
        of = f"0302 [10de:{NUMBERS[kinds[name]['model']][2:]}]" if kind == "gpu" else "0207 [15b3:1021]"
        return f'<object type="PCIDev" pci_busid="{bus}" pci_type="{of} [0000:0000] 00" pci_link_speed="63.015385"/>'
    sockets = "".join(f'<object type="Package" os_index="{i}"><object type="Core"/><object type="Bridge" bridge_type="0-1" depth="0">'
                      f'{tree(node, f"cpu{i}", show)}</object></object>' for i in range(2))
    return f'<?xml version="1.0"?>\n<topology version="2.0"><object type="Machine">{sockets}</object></topology>\n'


def nccl(node, numbers, links=True):
    """`numbers`: the attributes of a GPU."""
    kinds = {each["name"]: each for each in node["devices"]}
    buses = {name: f"0000:{i + 1:02x}:00.0" for i, name in enumerate(kinds)}
    vendor = "0x1002" if "gcn" in numbers else "0x10de"

    def show(name, below):
        kind = kinds[name]["kind"]
        pci = f'<pci busid="{buses[name]}" link_speed="32.0 GT/s PCIe" link_width="16" '
        if kind == "switch":
            return f'{pci} class="0x060400" vendor="0x1000" device="0xc030">{below}</pci>'
        if kind == "hca":
            return f'{pci} class="0x020700" vendor="0x15b3" device="0x1021"><nic><net name="mlx5_{name[3:]}" speed="400000"/></nic></pci>'
        peers = [end for link in node["links"] if link["type"] == "nvlink" and name in link["between"] for end in link["between"] if end != name]
        targets = [f'<nvlink target="0000:f0:00.0" count="18" tclass="0x068000"/>' if peer == "nvswitch" else
                   f'<xgmi target="{buses[peer]}" count="1" tclass="0x120000"/>' for peer in peers]
        number = NUMBERS[kinds[name]["model"]]
        base = "0x120000" if vendor == "0x1002" else "0x030200"
        return f'{pci} class="{base}" vendor="{vendor}" device="{number}"><gpu {numbers}>{"".join(targets) if links else ""}</gpu></pci>'
    sockets = "".join(f'<cpu numaid="{i}" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">{tree(node, f"cpu{i}", show)}</cpu>' for i in range(2))
    return f'<system version="1">{sockets}</system>\n'


def nvidia_smi(node, adapters=True):
    above = slots(node)
    names = [each["name"] for each in node["devices"] if each["kind"] in (("gpu", "hca") if adapters else ("gpu",))]
    shown = {name: ("GPU" if name.startswith("gpu") else "NIC") + name[3:] for name in names}
    socket = lambda name: above[above[name][0]][0]

    def cell(a, b):
        if a == b:
            return "X"
        if a.startswith("gpu") and b.startswith("gpu"):
            return "NV18"
        return "PIX" if above[a][0] == above[b][0] else "NODE" if socket(a) == socket(b) else "SYS"
    lines = ["\t" + "\t".join(shown[name] for name in names) + "\tCPU Affinity\tNUMA Affinity"]
    for name in names:
        affinity = "" if name.startswith("hca") else f"\t{'0-55' if socket(name) == 'cpu0' else '56-111'}\t{socket(name)[3:]}"
        lines.append(shown[name] + "\t" + "\t".join(cell(name, each) for each in names) + affinity)
    return "\n".join(lines) + "\n"


def smi_tables(titles, cells, count, last=""):
    names = [f"GPU{i}" for i in range(count)]
    text = ""
    for title, (own, other) in zip(titles, cells):
        text += f"{title}\n       {' '.join(names)}\n" + "".join(
            f"{name} {' '.join(own if name == each else other for each in names)}\n" for name in names) + "\n"
    return text + last


def rocm_smi():
    domains = "".join(f"GPU[{i}]\t\t: (Topology) Numa Node: {i // 4}\n" for i in range(8))
    return smi_tables(("=== Weight between two GPUs ===", "=== Link Type between two GPUs ==="), (("0", "15"), ("0", "XGMI")), 8, domains)


def amd_smi():
    return smi_tables(("LINK TYPE TABLE:", "WEIGHT TABLE:"), (("SELF", "XGMI"), ("0", "15")), 8)


def infragraph(node):
    sides = ", ".join("{name: %s, count: %d, choice: %s}" % each for each in (
        ("cpu", 2, "cpu"), ("sw", 8, "switch"), ("xpu", 8, "xpu"), ("nvsw", 4, "switch"), ("nic", 8, "nic")))
    edges = [("cpu[0]", "sw[0:4]", "many2many", "pcie"), ("cpu[1]", "sw[4:8]", "many2many", "pcie"), ("sw[0:8]", "xpu[0:8]", "one2one", "pcie"),
             ("sw[0:8]", "nic[0:8]", "one2one", "pcie"), ("nvsw", "xpu", "many2many", "nvlink")]
    written = ", ".join('{ep1: {component: "%s"}, ep2: {component: "%s"}, scheme: %s, link: %s}' % edge for edge in edges)
    return ("name: x\ndevices:\n- {name: server, components: [" + sides + "], links: [{name: pcie}, {name: nvlink}], edges: [" + written + "]}\n"
            "instances: [{name: host, device: server, count: 1}]\n")


def files(folder):
    """A file that its type's data sheet completes is the sheet's machine, whatever the file's format."""
    known = {name: node_of(kakehashi("import", "--node", name), name)["node"] for name in ("hgx-h100", "mi300x")}
    h100, mi300x = known["hgx-h100"], known["mi300x"]
    for name, sheet, text in (("lstopo", "hgx-h100", lstopo(h100)), ("NCCL", "hgx-h100", nccl(h100, 'sm="90"')),
                              ("NCCL of a cloud", "hgx-h100", nccl(h100, 'sm="90"', False)), ("topo -m", "hgx-h100", nvidia_smi(h100)),
                              ("topo -m without adapters", "hgx-h100", nvidia_smi(h100, False)), ("InfraGraph", "hgx-h100", infragraph(h100)),
                              ("RCCL", "mi300x", nccl(mi300x, 'gcn="gfx942"')), ("rocm-smi", "mi300x", rocm_smi()), ("amd-smi", "mi300x", amd_smi())):
        (folder / "file").write_text(text)
        found = node_of(kakehashi("import", "file", "--node", sheet, cwd=folder), name)
        if found and facts(next(iter(found.values()))) != facts(known[sheet]):
            failures.append(f"{name}: {facts(next(iter(found.values())))}\n    of the sheet: {facts(known[sheet])}")


def parts(folder):
    """--pcie stays, as do a file's fewer GPUs; other GPUs are refused."""
    h100 = node_of(kakehashi("import", "--node", "hgx-h100"), "hgx-h100")["node"]
    (folder / "topo.txt").write_text(nvidia_smi(h100))
    found = node_of(kakehashi("import", "topo.txt", "--node", "hgx-h100", "--pcie", "4", cwd=folder), "--pcie")["node"]
    if {link["generation"] for link in found["links"] if link["type"] == "pcie"} != {4}:
        failures.append(f"--pcie: {found}")
    (folder / "nccl.xml").write_text(nccl(h100, 'sm="90"'))
    expect("other GPUs", kakehashi("import", "nccl.xml", "--node", "dgx-a100", cwd=folder), 2,
           err="error: --node dgx-a100: its GPUs are A100, but gpu0 of the file is H100\n")
    expect("more GPUs", kakehashi("import", "topo.txt", "--node", "h100-mesh-4", cwd=folder), 2,
           err="error: --node h100-mesh-4: it has 4 GPUs, but the file has 8\n")
    expect("an unknown node", kakehashi("import", "--node", "hgx-h10"), 2,
           err=['error: --node: got "hgx-h10", expected one of ' + ", ".join(SHEETS) + ", or the .json file of such a data sheet", '(did you mean "hgx-h100"?)'])
    expect("a processor", kakehashi("import", "--node", "epyc 9654"), 2,
           err='error: --node: got "epyc 9654", which is a processor (did you mean "--processor EPYC 9654"?)\n')
    expect("too many GPUs", kakehashi("import", "--node", "hgx-h100", "--gpus", "9"), 2, err="error: --gpus: got 9, but hgx-h100 has 8 GPUs\n")
    expect("GPUs of no node", kakehashi("import", "topo.txt", "--gpus", "4", cwd=folder), 2, err="error: --gpus goes with --node\n")
    few = node_of(kakehashi("import", "--node", "hgx-h100", "--gpus", "2"), "--gpus")["node"]
    if [each["name"] for each in few["devices"]] != ["cpu0", "cpu1", "pcie-switch0", "pcie-switch1", "gpu0", "gpu1", "nvswitch", "hca0", "hca1"]:
        failures.append(f"--gpus: {few['devices']}")
    sheet = json.loads((root / "nodes/gh200.json").read_text())
    sheet["links"][0]["between"][1] = "gpu1"
    (folder / "own.json").write_text(json.dumps(sheet))
    expect("a faulty sheet", kakehashi("import", "--node", "own.json", cwd=folder), 2,
           err='error: own.json: /links/0/between/1: got "gpu1", which is no device here, expected the name of a device (did you mean "gpu0"?)\n')


def domains(folder):
    """An NVLink domain spans trays: each has one device of switches for 18 of them."""
    expect("trays", kakehashi("import", "--node", "gb200-nvl72", "--nodes", "20", "--network", "rail:NDR:4:64", "-o", str(folder / "m.json")), 0)
    networks = json.loads((folder / "m.json").read_text())["networks"]
    found = {name: network["joins"] for name, network in networks.items()}
    if found != {"rail": ["node[00-19].hca[0,1,2,3]"], "spine": ["rail[0-3]"], "nvswitch0": ["node[00-17].gpu[0-3]"], "nvswitch1": ["node[18-19].gpu[0-3]"]}:
        failures.append(f"domains: {found}")
    run = kakehashi("explain", "--platform", "m.json", "--fabric", "ib", "--ranks", "node00.gpu0,node17.gpu3", "--benchmark", "imb-pingpong", "--sizes", "1 MiB", cwd=folder)
    if "nvswitch0" not in run.stdout:
        failures.append(f"the way between trays: {run.stdout}{run.stderr}")


with tempfile.TemporaryDirectory() as work:
    folder = pathlib.Path(work)
    for part in (sheets, files, parts, domains):
        part(folder)
finish("all types of nodes were imported, and files of such nodes led to the same machines")
