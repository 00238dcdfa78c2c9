import { access, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemErrorCode } from '../errors/system-error-code';
import { FileError, withFileErrors } from './file-error';
import type { LockClaim } from './lock-claim';
import { changeFolder, useDraft, writeDraft } from './replace-file';

/** Milliseconds between heartbeats. */
const HEARTBEAT_MS = 2000;

/** The held lock of a file. Writes the file, and fails once another process has taken the lock over. */
export class HeldLock {
  readonly #path: string;
  readonly #claim: LockClaim;
  readonly #heartbeat: NodeJS.Timeout;
  /** What the draft has. */
  #staged: Uint8Array | string | undefined;

  constructor(path: string, claim: LockClaim) {
    this.#path = path;
    this.#claim = claim;
    this.#heartbeat = setInterval(() => {
      claim.touch().catch(() => undefined);
    }, HEARTBEAT_MS).unref();
  }

  /**
   * Writes what will replace the file next to it: then {@link replace} with it needs no space any more.
   * @throws FileError `ELOST` if the lock was lost, or for a system error
   */
  async stage(bytes: Uint8Array | string): Promise<void> {
    this.#staged = undefined;
    await this.#whileHeld(() => writeDraft(this.#path, bytes, this.#claim.draft));
    this.#staged = bytes;
  }

  /**
   * Replaces the file, as `replaceFile` does; once. A new file is readable by its owner only.
   * @throws FileError `ELOST` if the lock was lost, or for a system error; the file is then unchanged
   */
  async replace(bytes: Uint8Array | string): Promise<void> {
    if (this.#staged !== bytes) await this.stage(bytes);
    await this.#whileHeld(() => useDraft(this.#path, this.#claim.draft));
  }

  async #whileHeld(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') await this.assertHeld();
      throw error;
    }
  }

  /**
   * Removes the file durably, if it exists.
   * @throws FileError `ELOST` if the lock was lost, or for a system error
   */
  async remove(): Promise<void> {
    await withFileErrors(this.#path, async () => {
      await changeFolder(dirname(this.#path), async () => {
        try {
          await rename(this.#path, this.#claim.removed);
        } catch (error) {
          if (systemErrorCode(error) !== 'ENOENT') throw error;
          await this.assertHeld();
        }
      });
    });
  }

  /**
   * Asserts that the lock is still held, before side effects other than on the file.
   * @throws FileError `ELOST` if the lock was lost
   */
  async assertHeld(): Promise<void> {
    if (!(await this.#isHeld())) throw new FileError(this.#path, 'ELOST');
  }

  async release(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.#claim.release();
  }

  /** The draft exists until the file is replaced, or the lock is lost. */
  async #isHeld(): Promise<boolean> {
    return access(this.#claim.draft).then(
      () => true,
      () => false,
    );
  }
}
