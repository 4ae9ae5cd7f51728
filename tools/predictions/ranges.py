"""How far measured times are from predicted ones → between what four of five of another machine lie, as a table of the program, and how well
that holds."""
import collections
import math

# (name, greatest size), and the groups of tests and states of the platform as src/result/record.hpp has them
BANDS = [("256 B", 256), ("8 KiB", 8 << 10), ("64 KiB", 64 << 10), ("all", 1 << 50)]
COLLECTIVES = ["bcast", "reduce", "allreduce", "allgather", "alltoall", "other"]
GROUPS = ["pair", "neighbours", *COLLECTIVES, "application"]
ASSUMED = ["none", "some", "all"]
INSIDE = 0.8  # of the points of a machine that gave the table none
# What a point of another kind counts beside one of the same: of another operation, of a band beside it, and of a platform on which
# more or less is assumed, by whether that is of a step or of two. Machines weigh the same, whatever they have of points.
OTHER_TEST, OTHER_BAND, OTHER_STATE = 0.3, 0.3, {0: 1, 1: 0.1, 2: 0.003}
NEXT_TO_ALL = 0.02  # for "all", whose costs are of data sheets, what is measured tells least


Point = collections.namedtuple("Point", "machine group size assumed ratio main")  # ratio: measured time over predicted


def group_of(benchmark):
    name = benchmark.split("-", 1)[1]
    if name in ("pingpong", "latency", "bw", "bibw"):
        return "pair"
    return "neighbours" if name in ("sendrecv", "exchange") else name if name in COLLECTIVES else "other"


def band_of(size):
    return next(i for i, (_, most) in enumerate(BANDS) if size <= most)


def quantile(weighted, share):
    total = sum(weight for _, weight in weighted)
    passed = 0
    for value, weight in weighted:
        passed += weight
        if passed >= share * total:
            return value
    return weighted[-1][0]


def weight(cell, of):
    """Of what one cell (group, band, assumed) has, for another one."""
    group, band, assumed = cell
    if (group == "pair") != (of[0] == "pair"):
        return 0
    steps = abs(ASSUMED.index(assumed) - ASSUMED.index(of[2]))
    state = NEXT_TO_ALL if steps == 1 and "all" in (assumed, of[2]) else OTHER_STATE[steps]
    if group == "application":
        return state
    return state * (1 if group == of[0] else OTHER_TEST) * OTHER_BAND ** abs(band - of[1])


def table_of(points, share):
    """Between what this share of the points lies: (group, band, assumed) → the factors on a predicted time; the prediction itself is always between them."""
    cells = collections.defaultdict(list)
    for each in points:
        cells[each.machine, (each.group, band_of(each.size), each.assumed)].append(each.ratio)
    table = {}
    for cell in ((group, band, assumed) for group in GROUPS for band in range(len(BANDS)) for assumed in ASSUMED):
        weighted = sorted((ratio, weight(cell, of) / len(ratios)) for (_, of), ratios in cells.items() for ratio in ratios if weight(cell, of))
        table[cell] = (min(1, quantile(weighted, (1 - share) / 2)), max(1, quantile(weighted, (1 + share) / 2)))
    return table


def write(points, share, file):
    table = table_of(points, share)
    machines = sorted({each.machine for each in points})
    lines = [f"// Made by tools/predictions/run.py --ranges FILE: between what {share:.0%} of {len(points)} measured times on {len(machines)} machines",
             f"// ({', '.join(machines)}) are, as parts of the predicted ones: the least share with which",
             f"// {INSIDE:.0%} of the points of machines left out are inside;",
             "// for each group of tests and band of sizes, if the costs of none, some or all rules are assumed. See docs/evidence/predictions.md."]
    for group in GROUPS:
        for band, (name, most) in enumerate(BANDS):
            if group == "application" and most < BANDS[-1][1]:
                continue
            factors = ", ".join(f"{{{low:.2f}, {high:.2f}}}" for low, high in (table[group, band, each] for each in ASSUMED))
            lines.append(f"Row{{{group}, {'largest_size' if name == 'all' else f'Bytes{{{most}}}'}, {{{{{factors}}}}}}},")
    file.write_text("\n".join(lines) + "\n")


def show(label, held):
    if held:
        typical = [math.exp(sum(math.log(limits[i]) for _, limits in held) / len(held)) for i in (0, 1)]
        print(f"{label:40}{len(held):7}{100 * inside(held):8.0f}%{typical[0]:10.2f}{typical[1]:8.2f}")


def held_out(points, share):
    """Each point of a machine with its range in the table of the others."""
    held = []
    for machine in sorted({each.machine for each in points}):
        table = table_of([each for each in points if each.machine != machine], share)
        held += [(each, table[each.group, band_of(each.size), each.assumed]) for each in points if each.machine == machine]
    return held


def inside(held):
    return sum(low <= each.ratio <= high for each, (low, high) in held) / len(held)


def hold_out(points):
    """Machines differ more than the points of one do, so that a share of some machines' points is less of another's. Shows, and gives, the
    least share with which enough of those left out are inside."""
    for percent in range(round(100 * INSIDE), 100):
        share = percent / 100
        held = held_out(points, share)
        main = [each for each in held if each[0].main]
        if inside(main) >= INSIDE:
            break
    print(f"\n{f'ranges of machines left out, of {share:.0%}':40}{'points':>7}{'inside':>9}{'typically':>11}{'to':>7}")
    show("all predictions", main)
    for machine in sorted({each.machine for each in points}):
        show(f"  {machine}", [each for each in main if each[0].machine == machine])
    for i, (name, _) in enumerate(BANDS):
        show(f"  to {name}", [each for each in main if band_of(each[0].size) == i])
    for group in GROUPS:
        show(f"  {group}", [each for each in main if each[0].group == group])
    for assumed in ASSUMED:
        show(f"  costs of {assumed} rules assumed", [each for each in main if each[0].assumed == assumed])
    show("one pair, calibrated with its own log", [each for each in held if each[0].group == "pair" and each[0].assumed == "none"])
    show("data sheets alone, one pair", [each for each in held if each[0].group == "pair" and each[0].assumed == "all"])
    show("data sheets alone, others", [each for each in held if not each[0].main and each[0].group != "pair"])
    return share
