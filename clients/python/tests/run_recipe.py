"""Runs a program with a clock that goes two seconds on whenever it is read, as if a real model had answered."""

import runpy
import sys

import doomloop

now = doomloop._now_ms()


def clock() -> float:
    global now
    now += 2_000
    return now


doomloop._now_ms = clock
# One exchange may take as long as a slow machine needs.
doomloop.Guard.__init__.__kwdefaults__["timeout"] = 60
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
