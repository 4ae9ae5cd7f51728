#!/usr/bin/env python3
"""Lets SciPy look for the order of ranks in which a ring over eight coprocessors is fastest. Needs scipy, and the package kakehashi.

A vector of numbers stands for an order: its smallest number is of the rank on the first device. SciPy asks for a whole generation at a
time, so candidates run on all cores; orders that a turn or equal devices make equal run once."""
import numpy
from scipy.optimize import differential_evolution

import kakehashi as kk

machine = kk.Sweep("scenarios/colfax-mic/sweep-ring-all.json", no_reasons=True)
devices = [f"node{node}.mic{mic}" for node in (0, 1) for mic in range(4)]


def order_of(keys):
    return [devices[i] for i in numpy.argsort(keys)]


def times(generation):
    return [outcome.get("time_us", numpy.inf) for outcome in machine.evaluate([order_of(keys) for keys in generation.T])]


found = differential_evolution(times, [(0, 1)] * len(devices), vectorized=True, updating="deferred", polish=False, seed=1, maxiter=40)
print(f"{found.fun:.2f} us  {' '.join(order_of(found.x))}")
