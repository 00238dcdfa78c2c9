/** Latencies in classes of 4% width, so that hours of load take no memory. */
export class Latencies {
  count = 0;
  max = 0;
  #classes = new Uint32Array(500);

  /** @param {number} milliseconds */
  add(milliseconds) {
    this.count++;
    this.max = Math.max(this.max, milliseconds);
    const at = Math.floor(Math.log(Math.max(milliseconds, 0.01) / 0.01) / Math.log(1.04));
    this.#classes[Math.min(at, this.#classes.length - 1)]++;
  }

  /** The latency in milliseconds that a share of the requests did not exceed. */
  percentile(share) {
    let rest = Math.ceil(this.count * share);
    for (const [at, count] of this.#classes.entries()) {
      rest -= count;
      if (rest <= 0) return 0.01 * 1.04 ** (at + 1);
    }
    return this.max;
  }

  get p50() {
    return this.percentile(0.5);
  }

  get p99() {
    return this.percentile(0.99);
  }
}
