import { mkdtemp, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { problem, tooManyOpenFiles, type MvcEvent } from '../../../framework';

/**
 * A folder for the files of one request, made when the first comes. Only this user may read it; it is removed when
 * the request is over: answered, refused, or left by its client.
 */
export class RequestFolder {
  readonly #event: MvcEvent;
  readonly #within: string;
  #made: Promise<string> | undefined;
  #count = 0;

  constructor(event: MvcEvent, within: string) {
    this.#event = event;
    this.#within = within;
  }

  /**
   * Keeps content in a new file, under a name that says nothing.
   * @param limit in bytes
   * @returns undefined when the content has more
   * @throws Problem 507 when it cannot be written
   */
  async keep(content: Readable, limit: number): Promise<{ path: string; size: number } | undefined> {
    const name = String(this.#count++);
    const file = path.join(await (this.#made ??= this.#make()), name);
    const handle = await open(file, 'wx', 0o600).catch(cannotKeep);
    let size = 0;
    try {
      for await (const chunk of content.iterator({ destroyOnReturn: false })) {
        const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
        size += bytes.length;
        if (size > limit) return undefined;
        await handle.writeFile(bytes).catch(cannotKeep);
      }
    } finally {
      await handle.close();
    }
    return { path: file, size };
  }

  /** Removes it with all that is in it. What cannot be removed is noted: nobody waits for it. */
  async remove(): Promise<void> {
    if (this.#made === undefined) return;
    try {
      await rm(await this.#made, { recursive: true, force: true });
    } catch (err) {
      this.#event.log.warn({ err }, 'The files of a request could not be removed.');
    }
  }

  async #make(): Promise<string> {
    const folder = await mkdtemp(path.join(this.#within, 'platform-form-')).catch(cannotKeep);
    const { outgoing } = this.#event;
    if (outgoing.closed) void this.remove();
    else outgoing.once('close', () => void this.remove());
    return folder;
  }
}

function cannotKeep(cause: unknown): never {
  throw (
    tooManyOpenFiles(cause) ??
    problem('cannot_write', { reason: 'a file of the form could not be kept.' }, { cause })
  );
}
