/** Runs contenders in turns, so that whatever else the machine does meets all of them; each round begins with another one. */
export async function interleave(contenders, { rounds, warmUp = 8, sample }) {
  const samples = new Map(contenders.map(({ name }) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    const first = (round + warmUp) % contenders.length;
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const value = await sample(contender);
      if (round >= 0) samples.get(contender.name).push(value);
    }
  }
  return new Samples(samples);
}

class Samples {
  #byName;

  constructor(byName) {
    this.#byName = byName;
  }

  /** Medians by contender, each divided by `by`. */
  medians(by = 1) {
    return Object.fromEntries([...this.#byName].map(([name, values]) => [name, median(values) / by]));
  }

  /** The median of the ratios of each round: what slows a whole round down is not in it. */
  ratio(name, other) {
    const others = this.#byName.get(other);
    return median(this.#byName.get(name).map((value, index) => value / others[index]));
  }

  /** Against whichever is the better one. */
  ratioToBest(name, others) {
    return Math.max(...others.map((other) => this.ratio(name, other)));
  }
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Microseconds of processor time, garbage collection and the compiler's threads included; what others use is not in it.
 * Nobody inherits the garbage of the one before. Only the young generation: a full collection also throws away what the
 * compiler has learned, and everybody would be measured cold.
 */
export async function cpuTime(run) {
  globalThis.gc({ type: 'minor' });
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Milliseconds by the clock. */
export async function wallTime(run) {
  const before = performance.now();
  await run();
  return performance.now() - before;
}
