"""Errors of predictions as rows: in text, and in the tables of a page such as docs/evidence/predictions.md."""
import math

BANDS = [("to 256 B", 0, 256), ("to 8 KiB", 256, 8 << 10), ("to 64 KiB", 8 << 10, 64 << 10), ("above", 64 << 10, 1 << 60)]
HEADS = ["mean", "bias", "factor", *(name for name, *_ in BANDS)]


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else float("nan")


def percent(share):
    return "" if math.isnan(share) else f"{round(100 * share) + 0:d} %"


def factor_of(errors):
    return math.exp(mean(abs(math.log(1 + error)) for _, error in errors))


def cells_of(errors):
    """Mean, bias, factor and the bands of (size, error)."""
    bands = [percent(mean(abs(error) for size, error in errors if low < size <= high)) for _, low, high in BANDS]
    return [percent(mean(abs(error) for _, error in errors)), percent(mean(error for _, error in errors)), f"{factor_of(errors):.2f}", *bands]


def print_heads():
    print(f"{'test':32}", *(f"{head:>10}" for head in HEADS), sep="")


def print_row(label, errors):
    print(f"{label:32}", *(f"{cell:>10}" for cell in cells_of(errors)), sep="", flush=True)


def label_in(cell):
    """The label that a test or group has in text: "athena, imb-sendrecv" and "abci-a, osu-bcast, 1 × 4" have blanks only."""
    return cell.strip().strip("*").replace(",", "").replace("×", "x")


def compared(text, rows):
    """The page with these rows of label → cells, and the labels of those that differ. A page need not have all rows, nor all heads."""
    differing, lines, heads = [], [], []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            heads = []
        elif not heads:
            heads = cells if cells[1:] == HEADS else ["another table"]
        elif heads[1:] == HEADS and (wanted := rows.get(label_in(cells[0]))) and wanted != cells[1:]:
            differing.append(label_in(cells[0]))
            line = "| " + " | ".join([cells[0], *wanted]) + " |"
        lines.append(line)
    return "\n".join(lines) + "\n", differing
