/** Pseudo-random numbers of a seed (mulberry32): the same seed gives the same numbers on every machine. */
export class Random {
  #state;

  /** @param {number} seed an integer */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, but not including, 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** An integer from 0 up to, but not including, the limit. */
  below(limit) {
    return Math.floor(this.next() * limit);
  }

  chance(share) {
    return this.next() < share;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** A list of 0 to `most` results. */
  some(most, create) {
    return Array.from({ length: this.below(most + 1) }, create);
  }
}
