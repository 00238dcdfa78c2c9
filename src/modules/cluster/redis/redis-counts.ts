import type { ExactCounts, LimitResult, LimitUse, SignInResult, SignInUse } from '../../../framework';
import { BEGIN_SIGN_IN, END_SIGN_IN, TAKE } from './count-scripts';
import type { RedisLink } from './redis-link';
import type { Script } from './scripts';

/** How many exact counts Redis decided, and how many the node had to, as Redis did not reply in time. */
export interface CountTotals {
  readonly counted: number;
  readonly failed: number;
}

/** Rate limits and failed sign-ins that Redis counts, for all nodes. */
export class RedisCounts implements ExactCounts {
  readonly #link: RedisLink;
  readonly #prefix: string;
  readonly #totals = { counted: 0, failed: 0 };

  constructor(link: RedisLink, prefix: string) {
    this.#link = link;
    this.#prefix = prefix;
  }

  get isAvailable(): boolean {
    return this.#link.isUsable;
  }

  get totals(): CountTotals {
    return this.#totals;
  }

  async take(uses: readonly LimitUse[]): Promise<readonly LimitResult[] | undefined> {
    const keys = uses.map(({ key }) => `${this.#prefix}:l:${key}`);
    const args = uses.flatMap(({ window, limit, weight, isCounted }) => [
      window * 1_000,
      limit,
      weight,
      isCounted ? 1 : 0,
    ]);
    const numbers = await this.#ask(TAKE, keys, args);
    if (!Array.isArray(numbers)) return undefined;
    return uses.map((_, at) => {
      const [wait = 0, remaining = 0, reset = 0] = numbers.slice(at * 3, at * 3 + 3).map(Number);
      return { wait, remaining, reset };
    });
  }

  async beginSignIn(use: SignInUse): Promise<number | undefined> {
    const wait = await this.#ask(BEGIN_SIGN_IN, this.#keysOf(use), argumentsOf(use));
    return wait === undefined ? undefined : Number(wait);
  }

  async endSignIn(use: SignInUse, { isFailure, forgotten }: SignInResult): Promise<number | undefined> {
    const keys = this.#keysOf(use);
    const isForgotten = use.users.map(({ key }) => (forgotten.includes(key) ? 1 : 0));
    const args = [...keys, ...argumentsOf(use), isFailure ? 1 : 0, ...isForgotten];
    // It was counted when it began.
    return this.#link.run(END_SIGN_IN, args, keys.length).then(Number, () => undefined);
  }

  /** @returns undefined if Redis does not decide; the link reports why */
  async #ask(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    try {
      const reply = await this.#link.run(script, [...keys, ...args], keys.length);
      this.#totals.counted++;
      return reply;
    } catch {
      this.#totals.failed++;
      return undefined;
    }
  }

  #keysOf({ address, users }: SignInUse): readonly string[] {
    return [`${this.#prefix}:f:${address}`, ...users.map(({ key }) => `${this.#prefix}:f:${key}`)];
  }
}

/** Of both scripts. */
function argumentsOf({ window, failures, perAddress, users }: SignInUse): readonly (string | number)[] {
  return [window * 1_000, failures, perAddress, ...users.map(({ guess }) => guess)];
}
