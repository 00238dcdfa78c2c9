import { createHash } from 'node:crypto';
import path from 'node:path';
import {
  isObject,
  makeFolder,
  parseJson,
  readFileIfExists,
  withFileErrors,
  withLock,
} from '../../../../framework';

/**
 * Time steps after which an entry is removed: no password of one so old is accepted. An entry that lies as far ahead was made
 * by a clock that has been corrected since.
 */
const KEPT = 10;

/**
 * The last time step of each secret of which a one-time password was accepted, in a file of this machine: a restart loses what
 * is in memory only, and the password would be accepted again until it expires (RFC 6238, 5.2).
 */
export class UsedSteps {
  readonly #file: string;

  /** @param administrators the password file of the administrators: `data/administrators.steps.json` is next to it */
  constructor(administrators: string) {
    this.#file = administrators.replace(/(?:\.htpasswd)?$/, '.steps.json');
  }

  /**
   * Whether a step is later than the last one of its secret, unless a clock that was ahead has recorded that.
   * @throws FileError if the file cannot be read
   */
  async isLater(secret: string, step: number): Promise<boolean> {
    const last = (await this.#read()).get(nameOf(secret));
    return last === undefined || step > last || !isNear(last, step);
  }

  /** @throws FileError if the file cannot be written */
  async add(secret: string, step: number): Promise<void> {
    await withFileErrors(this.#file, () => makeFolder(path.dirname(this.#file), 0o700));
    await withLock(this.#file, async (lock) => {
      const steps = new Map([...(await this.#read())].filter(([, one]) => isNear(one, step)));
      const name = nameOf(secret);
      steps.set(name, Math.max(step, steps.get(name) ?? step));
      await lock.replace(`${JSON.stringify(Object.fromEntries(steps))}\n`);
    });
  }

  /** A damaged file has no steps. */
  async #read(): Promise<ReadonlyMap<string, number>> {
    const bytes = await withFileErrors(this.#file, () => readFileIfExists(this.#file), 'read');
    const value = parseJson(bytes?.toString() ?? '');
    const entries = isObject(value) ? Object.entries(value) : [];
    return new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
  }
}

function isNear(recorded: number, step: number): boolean {
  return Math.abs(recorded - step) < KEPT;
}

/** Secrets are not in the file. */
function nameOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
