"""Reads a recording as docs/inside/recording-format.md describes it, apart from the program, and writes one with some of its records."""
import ctypes
import ctypes.util
import struct

MAGIC = b"kakehashi recording\n"
zstd = ctypes.CDLL(ctypes.util.find_library("zstd"))
for function in ("ZSTD_findFrameCompressedSize", "ZSTD_decompress", "ZSTD_compress", "ZSTD_compressBound"):
    getattr(zstd, function).restype = ctypes.c_size_t
zstd.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong

START, COMMUNICATOR, WINDOW, SEND, RECEIVE, SENDRECEIVE, COMPLETE, COLLECTIVE, EXCHANGE, REMOTE, STEP, POLLED, ELAPSED, PROBED, END, SITE, REGION, DEVICE, DEVICE_WORK = range(19)


def content_of(file):
    data = file.read_bytes()
    assert data.startswith(MAGIC)
    data, content = data[len(MAGIC):], b""
    while data:
        size = zstd.ZSTD_findFrameCompressedSize(data, ctypes.c_size_t(len(data)))
        if size > len(data):  # an error: the rest is no whole frame
            break
        room = ctypes.create_string_buffer(zstd.ZSTD_getFrameContentSize(data, ctypes.c_size_t(len(data))))
        assert zstd.ZSTD_decompress(room, ctypes.c_size_t(len(room)), data, ctypes.c_size_t(size)) == len(room)
        content += room.raw
        data = data[size:]
    tail = file.with_suffix(".tail")
    if tail.exists():  # of a process that was killed
        place, size = struct.unpack("<QQ", tail.read_bytes()[:16])
        if place == len(file.read_bytes()) - len(data):
            content += tail.read_bytes()[16:16 + size]
    return content


def frame_of(content):
    room = ctypes.create_string_buffer(zstd.ZSTD_compressBound(ctypes.c_size_t(len(content))))
    size = zstd.ZSTD_compress(room, ctypes.c_size_t(len(room)), content, ctypes.c_size_t(len(content)), 1)
    return room.raw[:size]


class Reader:
    def __init__(self, content):
        self.content, self.at = content, 0

    def number(self):
        value = shift = 0
        while True:
            byte = self.content[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def text(self):
        size = self.number()
        self.at += size
        return self.content[self.at - size:self.at].decode()

    def list(self, *parts):
        return [tuple(part() for part in parts) for _ in range(self.number())]

    def end(self):
        communicator, peer, tag, size = self.number(), self.number() - 3, self.number() - 1, self.number()
        return communicator, peer, tag, size

    def completion(self):
        value = self.number()
        return value >> 2, self.end() if value & 3 == 1 else None

    def body(self, kind):
        n, text, end = self.number, self.text, self.end
        if kind == START:
            return [n(), n(), n(), n(), text(), text()]
        if kind == COMMUNICATOR:
            return [n(), n(), self.list(n, n, n), self.list(n, n, n)]
        if kind in (SEND, RECEIVE):
            return [n(), end(), n()]
        if kind == SENDRECEIVE:
            return [n(), end(), end()]
        if kind == COMPLETE:
            return [self.list(self.completion)]
        if kind == COLLECTIVE:
            return [n(), n(), n(), n(), n(), self.list(n)]
        if kind == EXCHANGE:
            return [n(), n(), self.list(n, n), self.list(n)]
        if kind == REMOTE:
            return [n(), n(), n() - 3, n(), n()]
        if kind == STEP:
            return [n(), n(), self.list(n)]
        if kind == PROBED:
            return [end()]
        if kind == SITE:
            return [text(), n(), text(), n()]
        if kind == REGION:
            return [text()]
        if kind == END:
            return [n(), n(), text(), self.list(text, n)]
        return [n() for _ in range({WINDOW: 2, POLLED: 2, ELAPSED: 0, DEVICE: 5, DEVICE_WORK: 6}[kind])]


def records_of(file):
    """Each record as its kind, work, time, body, and bytes; sites of calls in a fourth number of version 2."""
    reader = Reader(content_of(file))
    while reader.at < len(reader.content):
        begin = reader.at
        kind, work, time = reader.number(), reader.number(), reader.number()
        if kind != START and version > 1:
            reader.number()
        body = reader.body(kind)
        if kind == START:
            version = body[0]
        yield kind, work, time, body, reader.content[begin:reader.at]


def messages_of(folder):
    """What ranks sent one by one: from, to, bytes."""
    for file in sorted(folder.glob("*.rank")):
        rank = int(file.stem)
        started = {}  # of windows: whom the rank may access
        posted = {}
        for kind, _, _, body, _ in records_of(file):
            if kind == SEND:
                yield rank, body[1][1], body[1][3]
            elif kind == SENDRECEIVE:
                yield rank, body[1][1], body[1][3]
            elif kind == EXCHANGE:
                yield from ((rank, to - 3, size) for to, size in body[2])
            elif kind == REMOTE:
                _, _, target, put, got = body
                if put or not got:
                    yield rank, target, put
                if got:
                    yield rank, target, got  # named by who asks for it, as in time lines
            elif kind == STEP:
                window, step, ranks = body[0], body[1], [each - 3 for each, in body[2]]
                if step == 2:
                    yield from ((rank, to, 0) for to in ranks)
                if step == 3:
                    started[window] = ranks
                if step == 4:
                    yield from ((rank, to, 0) for to in started[window])


def work_by_region(folder):
    """What all ranks work in each region, in us."""
    found = {}
    for file in folder.glob("*.rank"):
        inside = []
        for kind, work, _, body, _ in records_of(file):
            found["/".join(inside)] = found.get("/".join(inside), 0) + work / 1e3
            if kind == REGION and body[0]:
                inside.append(body[0])
            elif kind == REGION:
                inside.pop()
    return found


OPERATIONS = ("barrier bcast reduce allreduce gather gatherv scatter scatterv allgather allgatherv alltoall alltoallv reduce-scatter scan "
              "exscan").split()


def collectives_of(folder):
    """The collective calls of all ranks that are not alone: name, bytes."""
    for file in sorted(folder.glob("*.rank")):
        sizes = {}
        for kind, _, _, body, _ in records_of(file):
            if kind == START:
                sizes[0] = body[2]
            elif kind == COMMUNICATOR:
                sizes[body[0]] = sum(length for _, _, length in body[2])
            elif kind == COLLECTIVE and sizes[body[1]] > 1:
                yield OPERATIONS[body[2]], body[4] + sum(size for size, in body[5])


def keep_only_collectives(folder, into):
    """A copy without the messages that ranks send one by one."""
    into.mkdir()
    dropped = {SEND, RECEIVE, SENDRECEIVE, EXCHANGE, REMOTE}
    for file in folder.glob("*.rank"):
        content = b""
        for kind, _, _, body, data in records_of(file):
            if kind in dropped or (kind == STEP and body[1] in (2, 3, 4, 5)):
                continue
            content += data
        (into / file.name).write_bytes(MAGIC + frame_of(content))
