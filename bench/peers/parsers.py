#!/usr/bin/env python3
"""Reads a recording with a parser in wide use, and prints the bytes it held and the processor seconds that it took.

    parsers.py jc|pandas|polars|blkparse FILE

Imports and the start of the interpreter are not counted; threads and children are.
"""
import os
import resource
import sys
import time


def used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def jc_(path):
    import jc.parsers.iostat_s

    def work():
        with open(path) as lines:
            # It knows no line of time, and goes on behind one.
            parsed = jc.parsers.iostat_s.parse(lines, quiet=True, ignore_exceptions=True)
            return sum(1 for line in parsed if line["_jc_meta"]["success"])

    return work


def pandas_(path):
    import pandas

    return lambda: len(pandas.read_csv(path, na_values=[" "]))


def polars_(path):
    import polars

    return lambda: polars.read_csv(path, null_values=[" "], infer_schema_length=100).height


def blkparse_(path):
    import subprocess

    return lambda: len(subprocess.run(["blkparse", "-i", path, "-o", "/dev/null"], check=True, capture_output=True).args)


work = {"jc": jc_, "pandas": pandas_, "polars": polars_, "blkparse": blkparse_}[sys.argv[1]](sys.argv[2])
begin = used()
if work() == 0:
    sys.exit("nothing was read")
print(os.path.getsize(sys.argv[2]), used() - begin)
