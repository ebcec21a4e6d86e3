# SPDX-License-Identifier: BSD-3-Clause
"""A gait of the snakeboard, found by optimisation over an ensemble.

The rider turns a rotor (psi) and steers the axles (phi); nothing pushes the board, yet it moves: a nonholonomic gait.
Torques are periodic, and the gait that goes far with little effort is looked for: every generation is one ensemble,
whose instances are gaits drawn from a normal distribution, which then follows the best of them.

    python3 snakeboard_gait.py [GENERATIONS [PICTURE.png]]
"""
import sys

import numpy as np

import liegrp

PERIOD, PERIODS, HARMONICS = 2.0, 4, 2
PIECES, STEPS = 20, 2  # of a period: pieces in which torques are constant; steps in each
EFFORT = 0.5  # metres that a unit of effort, the integral of the squared torques, is worth


def snakeboard():
    """The catalog's snakeboard with two motors: between board and rotor, and at the axles, which turn in opposition."""
    board = liegrp.Model('snakeboard')
    return liegrp.with_inputs(board, [[0, 0], [0, 0], [-1, 0], [1, 0], [0, 1]], names=['rotor', 'axles'])


def shapes(gaits, t):
    """psi, phi and two derivatives (3, gaits, times, 2) from Fourier coefficients (gaits, 2, harmonics, 2)."""
    k = 2 * np.pi / PERIOD * np.arange(1, HARMONICS + 1)
    angle = k[:, None] * t
    sine, cosine = np.sin(angle), np.cos(angle)
    path = [(sine, cosine), (k[:, None] * cosine, -k[:, None] * sine),
            (-k[:, None]**2 * sine, -k[:, None]**2 * cosine)]
    return np.array([np.einsum('gshc,cht->gts', gaits, np.array(basis)) for basis in path])


def drive(board, gaits, every=None):
    """Runs all gaits side by side: the ensemble, what it recorded, and the effort of the motors."""
    t = (np.arange(PERIODS * PIECES) + 0.5) * PERIOD / PIECES
    inertia = np.array([board['J0'], 2 * board['J1']])
    torques = inertia * shapes(gaits, t)[2]
    start, speed = shapes(gaits, np.zeros(1))[:2, :, 0]
    count = len(gaits)
    ensemble = liegrp.Ensemble(board, count, 'sem', step=PERIOD / PIECES / STEPS)
    g, xi = np.zeros((count, 6)), np.zeros((count, 5))
    g[:, 2], g[:, 4:], xi[:, 3:] = 1, start, speed
    ensemble.start_state(g, xi)
    samples = ensemble.run(PERIODS * PIECES * STEPS, every, controls=torques)
    return ensemble, samples, (torques**2).sum(axis=(1, 2)) * PERIOD / PIECES


def scores(board, gaits):
    """How far each gait goes, less what its effort is worth. One that fails or oversteers is worth nothing."""
    ensemble, _, effort = drive(board, gaits)
    distance = np.hypot(*ensemble.g[:, :2].T)
    steers = np.abs(shapes(gaits, np.linspace(0, PERIOD, 40))[0, :, :, 1]).max(axis=1)
    return np.where(ensemble.retired | (steers > 1.2), -np.inf, distance - EFFORT * effort)


def optimise(board, generations, population=256, elite=32, seed=1):
    """The cross-entropy method. Returns the best gait, and the best score of each generation."""
    rng = np.random.default_rng(seed)
    shape = (2, HARMONICS, 2)
    mean, spread, best, history = np.zeros(shape), np.full(shape, 0.4), (-np.inf, None), []
    for _ in range(generations):
        gaits = mean + spread * rng.standard_normal((population, *shape))
        found = scores(board, gaits)
        order = np.argsort(-found)[:elite]
        mean, spread = gaits[order].mean(axis=0), gaits[order].std(axis=0) + 1e-3
        if found[order[0]] > best[0]:
            best = found[order[0]], gaits[order[0]]
        history.append(best[0])
    return best[1], history


def picture(samples, name):
    """The path of the board."""
    from matplotlib import pyplot
    figure, frame = pyplot.subplots(figsize=(6, 4))
    frame.plot(samples.g[0, :, 0], samples.g[0, :, 1])
    frame.set(xlabel='x', ylabel='y', title=f'{PERIODS} periods of the gait')
    frame.set_aspect('equal', adjustable='datalim')
    figure.savefig(name)


def main():
    generations = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    board = snakeboard()
    gait, history = optimise(board, generations)
    ensemble, samples, effort = drive(board, gait[None], every=1)
    distance = np.hypot(*ensemble.g[0, :2])
    print(f'score {history[0]:.3f} -> {history[-1]:.3f} in {generations} generations')
    print(f'the gait goes {distance:.2f} m in {PERIODS * PERIOD:g} s; effort {effort[0]:.2f} N^2 m^2 s')
    if len(sys.argv) > 2:
        picture(samples, sys.argv[2])
    return 0 if history[-1] > history[0] else 1


if __name__ == '__main__':
    sys.exit(main())
