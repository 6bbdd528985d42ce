# Asks an NBD server for what it must refuse and for what it must do, with libnbd, and says what came back, a line each.
#
#   requests.py URI simple|structured|metadata

import errno
import sys

import nbd

uri, style = sys.argv[1:]
BLOCK = 4096


def connect():
    handle = nbd.NBD()
    handle.set_strict_mode(0)  # the library must let bad requests pass
    handle.set_request_structured_replies(style != "simple")
    if style == "metadata":
        handle.add_meta_context(nbd.CONTEXT_BASE_ALLOCATION)
    handle.connect_uri(uri)
    return handle


def say(what, action):
    try:
        answer = action()
    except nbd.Error as error:
        answer = error.errno or errno.errorcode.get(error.errnum, "failed")
    print(f"{what}: {'ok' if answer is None else answer}")


client = connect()
size = client.get_size()

say("read across the end", lambda: client.pread(BLOCK, size - 512) and None)
say("read beyond the end", lambda: client.pread(BLOCK, size + 2**42) and None)
say("read that wraps around", lambda: client.pread(BLOCK, 2**63 - 512) and None)
say("read of nothing", lambda: client.pread(0, 0) and None)
say("read of 33 MiB", lambda: client.pread(33 << 20, 0) and None)
say("read of 32 MiB", lambda: client.pread(32 << 20, 0) and None)
say("read with an unknown flag", lambda: client.pread(512, 0, flags=1 << 13) and None)
say("read with another command's flag", lambda: client.pread(512, 0, flags=nbd.CMD_FLAG_NO_HOLE) and None)
say("read with FUA", lambda: client.pread(512, 0, flags=nbd.CMD_FLAG_FUA) and None)
say("read in one piece", lambda: client.pread(65536, 0, flags=nbd.CMD_FLAG_DF) and None)
say("block status", lambda: client.block_status(BLOCK, 0, lambda *extent: 0) and None)

say("write across the end", lambda: client.pwrite(b"x" * BLOCK, size - 512) and None)
say("write with an unknown flag", lambda: client.pwrite(b"x" * BLOCK, 0, flags=1 << 13) and None)
say("the refused write left nothing", lambda: None if client.pread(BLOCK, 0) == bytes(BLOCK) else "it did")
say("write with FUA", lambda: client.pwrite(b"f" * BLOCK, 0, nbd.CMD_FLAG_FUA) and None)
say("zeroes across the end", lambda: client.zero(BLOCK, size - 512) and None)
say("zeroes, fast", lambda: client.zero(BLOCK, 0, nbd.CMD_FLAG_FAST_ZERO) and None)
say("zeroes, fast, without a hole", lambda: client.zero(BLOCK, 0, nbd.CMD_FLAG_FAST_ZERO | nbd.CMD_FLAG_NO_HOLE) and None)
say("zeroes everywhere", lambda: client.zero(size, 0) and None)
say("trim across the end", lambda: client.trim(BLOCK, size - 512) and None)
say("trim everywhere", lambda: client.trim(size, 0) and None)
say("cache", lambda: client.cache(BLOCK, 0) and None)
say("cache across the end", lambda: client.cache(BLOCK, size - 512) and None)
say("flush", lambda: client.flush() and None)
say("unaligned write", lambda: client.pwrite(b"abc", 4095) and None)
say("unaligned read", lambda: client.pread(5, 4094).hex())

second = connect()
client.pwrite(b"V" * BLOCK, 2 * BLOCK)
client.flush()
say("a flush shows a write to others", lambda: "seen" if second.pread(BLOCK, 2 * BLOCK) == b"V" * BLOCK else "stale")
second.pwrite(b"W" * BLOCK, 2 * BLOCK, nbd.CMD_FLAG_FUA)
say("FUA shows a write to others", lambda: "seen" if client.pread(BLOCK, 2 * BLOCK) == b"W" * BLOCK else "stale")
second.shutdown()
say("alive after all that", lambda: client.pread(512, 0) and None)
client.shutdown()
