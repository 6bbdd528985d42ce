#!/usr/bin/env python3
"""A reader of dm-log-writes logs, written from the format's description (drivers/md/dm-log-writes.c).

  replay_log.py list LOG                       one line an entry: offset, bytes, flags, digest of the data or name of the mark
  replay_log.py replay LOG IMAGE [MARK]        puts the entries into the image, up to the mark
  replay_log.py check LOG IMAGE COMMAND...     the same, and runs the command on a copy of the image at each flush, FUA and mark
"""
import hashlib
import os
import struct
import subprocess
import sys

MAGIC, VERSION = 0x6A736677736872, 1
FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8


def entries(path):
    """(offset, bytes, flags, data) of every entry that the superblock counts."""
    with open(path, "rb") as log:
        magic, version, count, sector = struct.unpack("<QQQI", log.read(28))
        assert (magic, version) == (MAGIC, VERSION), f"{path}: not a log"
        log.seek(sector)
        for _ in range(count):
            head = log.read(sector)
            assert len(head) == sector, f"{path}: it ends within an entry"
            first, sectors, flags, data_len = struct.unpack("<QQQQ", head[:32])
            offset, length = first * sector, sectors * sector
            data = b""
            if flags & MARK:
                assert data_len == sector - 32 and length == 0, (data_len, length)
                data = head[32:].split(b"\0", 1)[0]
            elif not flags & DISCARD:
                data = log.read(length)
                assert len(data) == length, f"{path}: it ends within its data"
            yield offset, length, flags, data


def apply(image, entry):
    offset, length, flags, data = entry
    if flags & MARK:
        return
    image.seek(offset)
    if flags & DISCARD:
        while length > 0:
            piece = min(length, 1 << 20)
            image.write(bytes(piece))
            length -= piece
    else:
        image.write(data)


def said(entry):
    offset, length, flags, data = entry
    names = [name for name, bit in (("FLUSH", FLUSH), ("FUA", FUA), ("DISCARD", DISCARD), ("MARK", MARK)) if flags & bit]
    what = data.decode() if flags & MARK else hashlib.sha256(data).hexdigest()[:16] if data else "-"
    return f"{offset} {length} {'|'.join(names) or 'NONE'} {what}"


def main():
    verb, log, rest = sys.argv[1], sys.argv[2], sys.argv[3:]
    if verb == "list":
        for entry in entries(log):
            print(said(entry))
        return
    points = 0
    with open(rest[0], "r+b") as image:
        for number, entry in enumerate(entries(log)):
            apply(image, entry)
            if verb == "replay" and rest[1:] and entry[2] & MARK and entry[3].decode() == rest[1]:
                return
            if verb != "check" or not entry[2] & (FLUSH | FUA | MARK):
                continue
            image.flush()
            copy = rest[0] + ".copy"
            subprocess.run(["cp", "--sparse=always", rest[0], copy], check=True)
            ran = subprocess.run(rest[1:] + [copy], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if ran.returncode != 0:
                sys.exit(f"entry {number} ({said(entry)}): exit code {ran.returncode}\n{ran.stdout.decode(errors='replace')}")
            os.remove(copy)
            points += 1
    if verb == "replay" and rest[1:]:
        sys.exit(f"there is no mark {rest[1]}")
    print(points)


main()
