// Response times, counted in steps of 10 µs, so that recording one costs nothing.

const STEP = 0.01;
const MAX_STEPS = 200_000;

export class Latencies {
  #counts = new Uint32Array(MAX_STEPS);
  count = 0;

  /** @param {number} milliseconds anything above two seconds counts as two */
  add(milliseconds) {
    this.#counts[Math.min(MAX_STEPS - 1, (milliseconds / STEP) | 0)]++;
    this.count++;
  }

  /** The latency in milliseconds that this share of the responses did not exceed; 0 without responses. */
  at(share) {
    let left = Math.ceil(this.count * share);
    for (let step = 0; step < MAX_STEPS; step++) {
      left -= this.#counts[step];
      if (left <= 0) return this.count === 0 ? 0 : (step + 1) * STEP;
    }
    return MAX_STEPS * STEP;
  }
}
