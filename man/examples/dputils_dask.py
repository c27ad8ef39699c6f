#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""dputils_dask.py - exact counts of many files by dpmap(1), on the workers of a Dask cluster.

    dputils_dask.py SCHEDULER PARTS 'DPMAP OPTIONS' FILE ...
    dpcount -e 1 OPTIONS --partial --expect=@PARTS/names PARTS/*.part

What is in PARTS is NOT PRIVATE.  A file is a shard of its own name, whoever reads it: a worker that
dies, or a file that is read twice, changes nothing, as one result is kept of each.
"""
import os
import shlex
import subprocess
import sys


def part(options, name, lines=None, file=None):
    """The part of these lines (bytes), or of a file: a block of text, or an exception."""
    command = ["dpmap", "-q", *options, "--shard=" + name, *([file] if file else [])]
    run = subprocess.run(command, input=None if file else b"".join(lines), check=False,
                         stdin=subprocess.DEVNULL if file else None,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if run.returncode != 0:
        raise RuntimeError(f"{name}: dpmap: status {run.returncode}: {run.stderr.decode()}")
    return run.stdout


def keep(folder, number, block):
    """A part is there as a whole, or not at all."""
    path = os.path.join(folder, f"{number}.part")
    with open(path + ".tmp", "wb") as out:
        out.write(block)
    os.replace(path + ".tmp", path)


def main(scheduler, folder, options, *files):
    """Parts of the files, and their names."""
    from distributed import Client, as_completed     # pylint: disable=import-outside-toplevel
    os.umask(0o077)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "names"), "w", encoding="ascii") as names:
        names.writelines(f"{number}\n" for number in range(len(files)))
    with Client(scheduler) as client:
        number = {client.submit(part, shlex.split(options), str(i), file=os.path.abspath(f),
                                pure=False, retries=2): i for i, f in enumerate(files)}
        for done in as_completed(number):
            keep(folder, number[done], done.result())


if __name__ == "__main__":
    main(*sys.argv[1:])
