"use strict";
// The form → a command line and files for the program in a worker → its report in this page.
const at = id => document.getElementById(id);
const OWN = "platforms/mine.json", CHANGED = "platforms/changed.json"; // beside the parts that shipped platforms name
const IS_PAIR = /latency|-bw|bibw|pingpong/;
let worker = null, module = null, number = 0, links = [], pair = null;
let patience = 60; // seconds
let timer = 0, late = 0, turn = 0;

function newWorker() {
  const made = new Worker(URL.createObjectURL(new Blob([WORKER], {type: "text/javascript"})));
  made.postMessage({module});
  return made;
}

// Runs the program; the answer to an earlier call never comes.
function run(words, files) {
  if (worker.busy) { // what it computes is not wanted any more
    worker.terminate();
    worker = newWorker();
  }
  worker.busy = true;
  return new Promise(settle => {
    const mine = ++number;
    worker.onmessage = ({data}) => {
      if (data.number !== mine) return;
      if (data.note !== undefined) { // meanwhile
        if (data.note.startsWith("note: this takes")) at("state").textContent = `computing … ${data.note.slice(6)}`;
        return;
      }
      worker.busy = false;
      settle(data);
    };
    worker.postMessage({number: mine, words, files: {...PLATFORMS, ...files}});
  });
}

const quoted = word => /^[\w.,:=/+-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";
const shipped = () => "platforms/" + at("platform").value + ".json";
const isOwn = () => at("text").value !== PLATFORMS[shipped()];
const platformFile = () => isOwn() ? OWN : shipped();
const parsed = () => { try { return JSON.parse(at("text").value); } catch { return null; } };

function fill(select, options, chosen) {
  select.replaceChildren(...options.map(([value, text]) => new Option(text ?? value, value)));
  if (options.some(([value]) => value === chosen)) select.value = chosen;
}

// Links of a platform, wherever they are stated: {link, text}.
function linksOf(platform) {
  const found = [];
  const add = (list, where) => {
    for (const link of Array.isArray(list) ? list : [])
      if (Array.isArray(link?.between)) found.push({link, text: `${where}${link.between.join(" – ")} (${link.type})`});
  };
  add(platform.links, "");
  for (const [name, template] of Object.entries(platform.templates ?? {})) add(template?.links, `${name}: `);
  for (const [name, network] of Object.entries(platform.networks ?? {}))
    if (network?.link) found.push({link: network.link, text: `all of ${name} (${network.link.type})`});
  return found;
}

function showFields() {
  const link = links[at("link").value]?.link ?? {};
  fill(at("field"), Object.keys(link).filter(key => !["between", "type", "source"].includes(key)).map(key => [key]), at("field").value);
  showValue();
}
function showValue() {
  at("value").value = links[at("link").value]?.link[at("field").value] ?? "";
}

// The platform with the change, as text; null: nothing is changed, or the text is no JSON.
function changed() {
  const platform = parsed();
  if (!platform) return null;
  const link = linksOf(platform)[at("link").value]?.link, field = at("field").value, value = at("value").value;
  const before = JSON.stringify(platform);
  if (link && field && value !== String(link[field])) link[field] = value !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
  if (at("library").value) platform.mpi = {...platform.mpi, collectives: at("library").value};
  return JSON.stringify(platform) === before ? null : JSON.stringify(platform, null, 2) + "\n";
}

function wordsOf() {
  const mode = at("mode").value;
  const words = [mode === "none" ? "simulate" : "compare", "--platform", platformFile(), "--benchmark", at("benchmark").value];
  const add = (option, id) => { if (at(id).value !== "") words.push(option, at(id).value); };
  add("--ranks", "ranks");
  add("--per-device", "per");
  add("--sizes", "sizes");
  if (mode !== "fabrics") add("--fabric", "fabric");
  if (mode === "change") words.push("--platforms", CHANGED);
  if (mode === "algorithms") words.push("--algorithms", "all");
  return words;
}

function state(text, busy) {
  at("state").textContent = text;
  at("stop").hidden = !busy;
  at("result").classList.toggle("old", busy);
}

function say(list, lines) {
  list.replaceChildren(...lines.map(line => Object.assign(document.createElement("li"), {textContent: line})));
}

// Puts the report's content here: its styles, tables, pictures, and the script that makes them answer.
function show(report) {
  const from = new DOMParser().parseFromString(report, "text/html");
  const parts = ["style", ".summary", "dl", "main", "footer"].map(name => from.querySelector(name)).filter(part => part);
  const script = document.createElement("script");
  script.textContent = `(() => {${from.querySelector("script")?.textContent ?? ""}\n})();`;
  at("tip").hidden = true;
  at("result").replaceChildren(...parts, script);
}

function save(link, text, type) {
  URL.revokeObjectURL(link.href);
  link.href = URL.createObjectURL(new Blob([text], {type}));
}

async function compute() {
  const mine = ++turn;
  clearTimeout(late);
  const files = {[OWN]: at("text").value};
  at("change").hidden = at("mode").value !== "change";
  at("fabric").disabled = at("mode").value === "fabrics";
  const words = wordsOf(), other = at("mode").value === "change" ? changed() : null;
  if (other) files[CHANGED] = other;
  at("command").firstChild.textContent = ["kakehashi", ...words].map(quoted).join(" ");
  say(at("faults"), []);
  if (at("mode").value === "change" && !other && parsed())
    return state("Change a field of a link, or the MPI library.", false);
  const began = performance.now();
  state("computing …", true);
  late = setTimeout(() => end(`ended after ${patience} s; fewer ranks or sizes take less, and the program itself uses all cores`), 1000 * patience);
  const answer = await run(words, files);
  if (mine !== turn) return;
  clearTimeout(late);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  state(answer.code || answer.fault ? "" : `computed in ${seconds} s`, false);
  const lines = answer.notes.split("\n").filter(line => line);
  const isFault = line => line.startsWith("error: ") || line.startsWith("Try `");
  say(at("faults"), [...lines.filter(line => line.startsWith("error: ")), ...(answer.fault ? [`the program ended: ${answer.fault}`] : [])]);
  const notes = lines.filter(line => !isFault(line));
  say(at("notes").lastElementChild, notes);
  at("notes").hidden = !notes.length;
  at("files").hidden = !answer.page;
  at("files").querySelector("span").hidden = !other;
  if (other) save(at("changed"), other, "application/json");
  if (!answer.page) return at("result").replaceChildren();
  save(at("report"), answer.page, "text/html");
  show(answer.page);
}

function end(why) {
  clearTimeout(late);
  worker.terminate();
  worker = newWorker();
  state("", false);
  say(at("faults"), [why]);
}

// What is due after a wait; another one takes its place.
function later(act, wait) {
  clearTimeout(timer);
  timer = setTimeout(() => { timer = 0; act(); }, wait);
}
const soon = (wait = 250) => later(compute, wait);
const isDue = () => !worker || timer !== 0 || worker.busy === true; // for tests

// Ranks of such a benchmark on such devices: the pair, or all devices of the kind of the first.
function usualRanks() {
  if (!pair) return "";
  const all = pair[0].replace(/^[^.]*\./, "*.").replace(/\d+$/, "*");
  return IS_PAIR.test(at("benchmark").value) ? pair.join(",") : all;
}

// Shows what the platform has, and begins anew with it.
async function readPlatform() {
  const platform = parsed();
  links = platform ? linksOf(platform) : [];
  fill(at("link"), links.map(({text}, i) => [String(i), text]), at("link").value);
  showFields();
  const answer = await run(["list", platformFile(), "--format", "json"], {[OWN]: at("text").value});
  const known = answer.code === 0 ? JSON.parse(answer.out) : {fabrics: {}};
  const names = Object.keys(known.fabrics);
  fill(at("fabric"), [["", "the only one"], ...names.map(name => [name])], at("fabric").value);
  if (names.length === 1 && at("mode").value === "fabrics") at("mode").value = "none";
  const pairs = Object.values(known.fabrics).flat().map(({from, to}) => [from, to]);
  fill(at("devices"), [...new Set(pairs.map(([from]) => from))].map(name => [name]));
  const node = name => name.replace(/\..*/, "");
  pair = pairs.find(([from, to]) => node(from) !== node(to)) ?? pairs.find(([from, to]) => from !== to) ?? pairs[0];
  if (!at("ranks").dataset.own) at("ranks").value = usualRanks();
  soon(0);
}

function pick(name) {
  at("text").value = PLATFORMS[`platforms/${name}.json`];
  delete at("ranks").dataset.own;
  at("per").value = at("fabric").value = "";
  return readPlatform();
}

async function begin() {
  const packed = Uint8Array.from(atob(PROGRAM), letter => letter.charCodeAt(0));
  const bytes = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  module = await WebAssembly.compile(bytes);
  worker = newWorker();
  const names = Object.keys(PLATFORMS).filter(name => name.split("/").length === 2).map(name => name.slice(10, -5));
  fill(at("platform"), names.map(name => [name]), "tca-mic");
  fill(at("library"), [["", "as it is"], ...LIBRARIES.map(name => [name])]);
  const answer = await run(["list", "benchmarks", "--format", "json"], {});
  fill(at("benchmark"), JSON.parse(answer.out).benchmarks.map(({benchmark, purpose}) => [benchmark, `${benchmark}: ${purpose}`]), "osu-latency");
  at("platform").addEventListener("change", () => pick(at("platform").value));
  at("text").addEventListener("input", () => later(readPlatform, 400));
  at("file").addEventListener("change", async () => {
    at("text").value = await at("file").files[0].text();
    readPlatform();
  });
  at("ranks").addEventListener("input", () => { at("ranks").dataset.own = at("ranks").value; });
  at("benchmark").addEventListener("change", () => { if (!at("ranks").dataset.own) at("ranks").value = usualRanks(); });
  at("link").addEventListener("change", showFields);
  at("field").addEventListener("change", showValue);
  for (const id of ["benchmark", "ranks", "per", "sizes", "fabric", "mode", "link", "field", "value", "library"])
    at(id).addEventListener(at(id).tagName === "SELECT" ? "change" : "input", () => soon());
  at("form").addEventListener("submit", event => event.preventDefault());
  at("stop").addEventListener("click", () => end("stopped"));
  at("text").value = PLATFORMS[shipped()];
  at("ranks").value = at("ranks").dataset.own = "node0.mic0,node1.mic0";
  await readPlatform();
}
state("the program is being unpacked …", false);
begin().catch(problem => say(at("faults"), [`This browser cannot run the program: ${problem.message}`]));
