"use strict";
// The words of a command line and files → what the program prints, by the calls that it has of a system (WASI, preview 1).
const ENDED = Symbol("proc_exit");
const ERROR = {badFile: 8, invalid: 28, noFile: 44, notThere: 52, readOnly: 69};
const FOLDER = 3, REGULAR = 4; // kinds of files; 3 is also the descriptor of the root

function start(module, words, files, tell) {
  const texts = new TextEncoder(), printed = {1: [], 2: []};
  const opened = new Map([[3, {name: ""}]]);
  let next = 4, memory, code = 0;
  const view = () => new DataView(memory.buffer);
  const bytes = (at, size) => new Uint8Array(memory.buffer, at, size);
  const isFolder = name => name === "" || Object.keys(files).some(file => file.startsWith(name + "/"));
  const nameAt = (at, size) => new TextDecoder().decode(bytes(at, size)).split("/").filter(part => part && part !== ".").join("/");
  const number = (at, value) => { view().setUint32(at, value, true); return 0; };
  const long = (at, value) => { view().setBigUint64(at, BigInt(value), true); return 0; };
  const status = (name, at) => {
    const content = files[name];
    if (content === undefined && !isFolder(name)) return ERROR.noFile;
    bytes(at, 64).fill(0);
    view().setUint8(at + 16, content === undefined ? FOLDER : REGULAR);
    return long(at + 32, content === undefined ? 0 : content.length);
  };
  const list = (values, at, text) => { // pointers to texts, and the texts
    for (const value of values) {
      number(at, text);
      at += 4;
      bytes(text, value.length).set(value);
      text += value.length;
    }
    return 0;
  };
  const sizes = (values, count, size) => number(count, values.length) || number(size, values.reduce((sum, each) => sum + each.length, 0));
  const argv = ["kakehashi", ...words].map(word => texts.encode(word + "\0"));
  const each = (vectors, count, act) => { // parts of a text → how much was done
    let done = 0;
    for (let i = 0; i < count; ++i) {
      const at = view().getUint32(vectors + 8 * i, true), size = view().getUint32(vectors + 8 * i + 4, true);
      const some = act(at, size);
      done += some;
      if (some < size) break;
    }
    return done;
  };
  const calls = {
    args_sizes_get: (count, size) => sizes(argv, count, size),
    args_get: (at, text) => list(argv, at, text),
    environ_sizes_get: (count, size) => sizes([], count, size),
    environ_get: () => 0,
    clock_time_get: (clock, precision, at) => long(at, Math.round(1e6 * (clock === 0 ? Date.now() : performance.now()))),
    random_get: (at, size) => { crypto.getRandomValues(bytes(at, size)); return 0; },
    proc_exit: number => { code = number; throw ENDED; },
    fd_prestat_get: (file, at) => file === 3 ? number(at, 0) || number(at + 4, 1) : ERROR.badFile,
    fd_prestat_dir_name: (file, at) => { bytes(at, 1)[0] = 47; return 0; },
    fd_fdstat_get: (file, at) => {
      const name = opened.get(file)?.name;
      if (file > 2 && name === undefined) return ERROR.badFile;
      bytes(at, 24).fill(0);
      view().setUint8(at, file <= 2 ? 2 : files[name] === undefined ? FOLDER : REGULAR);
      return long(at + 8, 0xffffffffffffffffn) || long(at + 16, 0xffffffffffffffffn);
    },
    fd_filestat_get: (file, at) => opened.has(file) ? status(opened.get(file).name, at) : ERROR.badFile,
    path_filestat_get: (folder, flags, text, size, at) => status(nameAt(text, size), at),
    path_open: (folder, flags, text, size, how, rights, inherited, more, at) => {
      const name = nameAt(text, size);
      if (how & 1) return ERROR.readOnly; // to be made
      if (files[name] === undefined && !isFolder(name)) return ERROR.noFile;
      opened.set(next, {name, place: 0});
      return number(at, next++);
    },
    fd_close: file => opened.delete(file) ? 0 : ERROR.badFile,
    fd_read: (file, vectors, count, done) => {
      const from = opened.get(file), content = from && files[from.name];
      if (file !== 0 && content === undefined) return ERROR.badFile;
      return number(done, file === 0 ? 0 : each(vectors, count, (at, size) => {
        const part = content.subarray(from.place, from.place + size);
        bytes(at, part.length).set(part);
        from.place += part.length;
        return part.length;
      }));
    },
    fd_write: (file, vectors, count, done) => printed[file] === undefined ? ERROR.badFile : number(done, each(vectors, count, (at, size) => {
      printed[file].push(bytes(at, size).slice());
      if (file === 2 && size > 1) tell(new TextDecoder().decode(printed[2].at(-1)));
      return size;
    })),
  };
  const system = {};
  for (const {module: from, name} of WebAssembly.Module.imports(module))
    (system[from] ??= {})[name] = calls[name] ?? (() => ERROR.notThere);
  const text = file => {
    const decoder = new TextDecoder();
    return printed[file].map(part => decoder.decode(part, {stream: true})).join("") + decoder.decode();
  };
  let fault = "";
  try {
    const instance = new WebAssembly.Instance(module, system);
    memory = instance.exports.memory;
    instance.exports._start();
  } catch (problem) {
    if (problem !== ENDED) fault = String(problem);
  }
  const [out, page] = text(1).split("\0");
  return {code, out, page: page ?? "", notes: text(2), fault};
}

let module = null;
onmessage = ({data}) => {
  if (data.module) module = data.module;
  else {
    const {number} = data, texts = new TextEncoder();
    const files = Object.fromEntries(Object.entries(data.files).map(([name, text]) => [name, texts.encode(text)]));
    postMessage({number, ...start(module, data.words, files, note => postMessage({number, note}))});
  }
};
