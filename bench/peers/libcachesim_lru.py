"""libCacheSim's LRU: 1 Mi of 4 Mi blocks under Zipf 0.99. Prints accesses and seconds of its C code."""
import os
import sys
import tempfile
import time

import libcachesim as lcs
import numpy as np

accesses = int(sys.argv[1])
blocks, capacity = 1 << 22, 1 << 20
shares = 1.0 / np.arange(1, blocks + 1) ** 0.99
cumulated = np.cumsum(shares)
rng = np.random.default_rng(1)
ranks = np.searchsorted(cumulated, rng.random(accesses) * cumulated[-1])
# Its binary trace format: time, object, size, next access.
record = np.dtype([("time", "<u4"), ("object", "<u8"), ("size", "<u4"), ("next", "<i8")])
trace = np.zeros(accesses, dtype=record)
trace["time"] = np.arange(accesses) // 100_000
trace["object"] = ranks + 1
trace["size"] = 1
trace["next"] = -1
with tempfile.NamedTemporaryFile(suffix=".oracleGeneral", delete=False) as file:
    trace.tofile(file)
try:
    reader = lcs.TraceReader(trace=file.name, trace_type=lcs.TraceType.ORACLE_GENERAL_TRACE)
    cache = lcs.LRU(cache_size=capacity)
    begin = time.process_time()
    miss_ratio, _ = cache.process_trace(reader)
    seconds = time.process_time() - begin
finally:
    os.remove(file.name)
if not 0.05 < miss_ratio < 0.9:
    sys.exit(f"a miss ratio of {miss_ratio} is not plausible")
print(accesses, seconds)
