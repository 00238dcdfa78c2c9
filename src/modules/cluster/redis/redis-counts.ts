import type { ExactCounts, LimitResult, LimitUse, SignInResult, SignInUse } from '../../../framework';
import { BEGIN_SIGN_IN, END_SIGN_IN, TAKE } from './count-scripts';
import type { RedisLink } from './redis-link';

/** Rate limits and failed sign-ins that Redis counts, for all nodes. */
export class RedisCounts implements ExactCounts {
  readonly #link: RedisLink;
  readonly #prefix: string;

  constructor(link: RedisLink, prefix: string) {
    this.#link = link;
    this.#prefix = prefix;
  }

  get isAvailable(): boolean {
    return this.#link.isUsable;
  }

  async take(uses: readonly LimitUse[]): Promise<readonly LimitResult[] | undefined> {
    const keys = uses.map(({ key }) => `${this.#prefix}:l:${key}`);
    const args = uses.flatMap(({ window, limit, weight, isCounted }) => [
      window * 1_000,
      limit,
      weight,
      isCounted ? 1 : 0,
    ]);
    try {
      const numbers = await this.#link.run(TAKE, [...keys, ...args], keys.length);
      if (!Array.isArray(numbers)) return undefined;
      return uses.map((_, at) => {
        const [wait = 0, remaining = 0, reset = 0] = numbers.slice(at * 3, at * 3 + 3).map(Number);
        return { wait, remaining, reset };
      });
    } catch {
      // The link reports why.
      return undefined;
    }
  }

  async beginSignIn(use: SignInUse): Promise<number | undefined> {
    const keys = this.#keysOf(use);
    const { window, failures, perAddress, users } = use;
    const args = [window * 1_000, failures, perAddress, ...users.map(({ guess }) => guess)];
    try {
      return Number(await this.#link.run(BEGIN_SIGN_IN, [...keys, ...args], keys.length));
    } catch {
      return undefined;
    }
  }

  endSignIn(use: SignInUse, { isFailure, forgotten }: SignInResult): void {
    const keys = this.#keysOf(use);
    const args = [
      use.window * 1_000,
      isFailure ? 1 : 0,
      ...use.users.flatMap(({ key, guess }) => [guess, forgotten.includes(key) ? 1 : 0]),
    ];
    this.#link.run(END_SIGN_IN, [...keys, ...args], keys.length).catch(() => undefined);
  }

  #keysOf({ address, users }: SignInUse): readonly string[] {
    return [`${this.#prefix}:f:${address}`, ...users.map(({ key }) => `${this.#prefix}:f:${key}`)];
  }
}
