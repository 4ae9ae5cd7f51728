"""Pages that --report writes, as tests read them."""
import re
import xml.etree.ElementTree as ElementTree


class Table:
    def __init__(self, element):
        self.columns = [cell.get("data-name") for cell in element.iter("th") if cell.get("scope") == "col"]
        self.rows = [list(row) for row in element.find("tbody")]

    def column(self, name):
        """The values of a column: numbers where cells have one, else texts."""
        index = self.columns.index(name)
        cells = [row[index] for row in self.rows]
        return [float(cell.get("data-value")) if cell.get("data-value") else "".join(cell.itertext()) for cell in cells]


class Page:
    def __init__(self, path):
        self.text = path.read_text()
        self.root = ElementTree.fromstring(self.text.removeprefix("<!DOCTYPE html>\n"))  # well-formed, or an exception
        self.tables = {table.find("caption").text: Table(table) for table in self.root.iter("table")}

    def faults(self):
        """What a page that stands alone must not have, and what it must."""
        found = []
        if re.search(r"(?i)(https?:)?//[a-z0-9.-]+\.[a-z]{2,}/", self.text):
            found.append("an address of another place")
        for element in self.root.iter():
            for name in ("src", "href", "data", "action", "poster", "srcset"):
                if name in element.keys():
                    found.append(f"<{element.tag} {name}=…>")
        style = "".join(element.text for element in self.root.iter("style"))
        if re.search(r"@import|url\(", style):
            found.append("a style sheet that loads something")
        if "prefers-color-scheme: dark" not in style or "@media print" not in style or "max-width: 640px" not in style:
            found.append("no style for dark, print or phones")
        for picture in self.root.iter("svg"):
            if not picture.get("aria-label"):
                found.append("a picture without a name")
            marks = [mark for mark in picture.iter() if mark.get("tabindex") is not None]
            if [mark.get("tabindex") for mark in marks].count("0") != min(1, len(marks)):
                found.append(f"{picture.get('aria-label')}: not exactly one mark that Tab reaches")
            if not marks or any(not mark.get("aria-label") for mark in marks):
                found.append(f"{picture.get('aria-label')}: marks without words, or none")
            if re.search(r"(?<![a-z])(nan|inf)(?![a-z])", " ".join(" ".join(shape.attrib.values()) for shape in picture.iter() if not shape.get("aria-label"))):
                found.append(f"{picture.get('aria-label')}: a coordinate that is no number")
        return found
