"use strict";
// Pictures: what is pointed at, or chosen by the arrow keys, says what it is.
const tip = document.getElementById("tip");
let shown = null;
function show(mark) {
  if (shown) shown.classList.remove("at");
  shown = mark;
  tip.hidden = !mark;
  if (!mark) return;
  mark.classList.add("at");
  tip.textContent = mark.getAttribute("aria-label");
  const place = mark.getBoundingClientRect();
  const size = tip.getBoundingClientRect();
  const x = place.left + place.width / 2 - size.width / 2;
  const above = place.top - size.height - 8;
  tip.style.left = Math.max(4, Math.min(x, document.documentElement.clientWidth - size.width - 4)) + "px";
  tip.style.top = (above < 4 ? Math.min(place.bottom + 8, innerHeight - size.height - 4) : above) + "px";
}
function distance(mark, x, y) {
  const box = mark.getBoundingClientRect();
  return Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
}
for (const picture of document.querySelectorAll("figure svg")) {
  const marks = [...picture.querySelectorAll("[tabindex]")];
  if (!marks.length) continue;
  const reach = 16;
  const point = event => {
    let best = null, least = reach;
    for (const mark of marks) {
      const far = distance(mark, event.clientX, event.clientY);
      if (far < least || (far === least && mark.tagName !== "rect")) { best = mark; least = far; }
    }
    show(best);
  };
  picture.addEventListener("pointermove", point);
  picture.addEventListener("pointerdown", point);
  picture.addEventListener("pointerleave", () => show(null));
  // Around the picture: one that listens for the focus itself would be a stop for Tab, too.
  const frame = picture.parentNode;
  frame.addEventListener("focusin", event => show(event.target));
  frame.addEventListener("focusout", () => show(null));
  frame.addEventListener("keydown", event => {
    const at = marks.indexOf(event.target);
    const last = marks.length - 1;
    const to = {ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: last}[event.key];
    if (event.key === "Escape") show(null);
    if (to === undefined || at === -1) return;
    event.preventDefault();
    const next = marks[Math.max(0, Math.min(last, to))];
    marks[at].setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
}
addEventListener("scroll", () => show(shown === document.activeElement ? shown : null), {passive: true});
// Tables: a heading sorts by its column, numbers by their values.
function key(row, column) {
  const cell = row.cells[column];
  const value = cell.dataset.value;
  return value === undefined ? {number: null, text: cell.textContent} : {number: Number(value), text: ""};
}
function compare(a, b) {
  if (a.number !== null && b.number !== null) return a.number - b.number;
  if (a.number !== null) return -1;
  if (b.number !== null) return 1;
  return a.text.localeCompare(b.text, "en", {numeric: true});
}
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const direction = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
      for (const each of heads) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", direction);
      const body = table.tBodies[0];
      const sign = direction === "ascending" ? 1 : -1;
      const rows = [...body.rows].map(row => ({row, key: key(row, column)}));
      rows.sort((a, b) => sign * compare(a.key, b.key));
      body.append(...rows.map(each => each.row));
    });
  });
}
