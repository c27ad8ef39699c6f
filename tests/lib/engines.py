# SPDX-License-Identifier: ISC
"""engines.py - what Spark and Beam do with the partitions of a log, for shards.bats: so much of each as
the text of dpmap(1) uses, as their manuals have it.  Both may compute a partition more than once (a
task that is retried, or run ahead on another machine), and keep one result.

    engines.py spark|beam LOG N <TEXT
"""
import os
import random
import shlex
import subprocess
import sys
import types

random.seed(5)


class Rdd:
    """An RDD of lines in partitions: pipe() of pyspark, and saveAsTextFile()."""

    def __init__(self, partitions):
        self.partitions = partitions

    def getNumPartitions(self):
        return len(self.partitions)

    def pipe(self, command, env=None, checkCode=False):
        def run(lines):
            done = subprocess.run(shlex.split(command), env=env, check=False,
                                  input="".join(x.rstrip("\n") + "\n" for x in lines).encode(),
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            if checkCode and done.returncode:
                raise RuntimeError(f"pipe function `{command}' exited with {done.returncode}")
            return done.stdout.decode().splitlines()
        run(self.partitions[0])
        return Rdd([run(lines) for lines in self.partitions])

    def saveAsTextFile(self, path):
        os.mkdir(path)
        for i, lines in enumerate(self.partitions):
            with open(f"{path}/part-{i:05d}", "w", encoding="utf-8") as out:
                out.writelines(x + "\n" for x in lines)
        with open(f"{path}/_SUCCESS", "w", encoding="utf-8"):
            pass


class Collection:
    """A PCollection: no order, and each element is made once or twice."""

    def __init__(self, elements):
        self.elements = elements
        random.shuffle(self.elements)

    def __or__(self, transform):
        return transform(self)


def each(function, star):
    def call(x):
        if random.random() < .3:
            function(*x) if star else function(x)
        return function(*x) if star else function(x)
    return lambda c: Collection([call(x) for x in c.elements])


def by_key(c):
    group = {}
    for k, v in c.elements:
        group.setdefault(k, []).append(v)
    return Collection(list(group.items()))


def written(prefix):
    def write(c):
        for i in range(3):
            with open(f"{prefix}-{i:05d}-of-00003", "w", encoding="utf-8") as out:
                out.writelines(x + "\n" for x in c.elements[i::3])
    return write


def main(engine, log, n):
    with open(log, encoding="utf-8") as file:
        lines = file.read().splitlines()
    if engine == "spark":
        count = int(n)
        part = [len(lines) * i // (count - 1) for i in range(count)]
        names = {"lines": Rdd([lines[part[i]:part[i + 1]] for i in range(count - 1)] + [[]])}
    else:
        beam = types.SimpleNamespace(
            Map=lambda f: each(f, False), MapTuple=lambda f: each(f, True),
            GroupByKey=lambda: by_key, io=types.SimpleNamespace(WriteToText=written))
        names = {"lines": Collection(lines), "beam": beam}
    exec(sys.stdin.read(), names)


main(*sys.argv[1:])
