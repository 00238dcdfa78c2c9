import { mkdtemp, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { makeFolder, problem, systemErrorCode, tooManyOpenFiles, type MvcEvent } from '../../../framework';

/**
 * The temporary folder for the files of one request. Created on first use, readable by this user only, and removed
 * when the response is sent or the client disconnects.
 */
export class RequestFolder {
  readonly #event: MvcEvent;
  readonly #parent: string;
  #created: Promise<string> | undefined;
  #count = 0;

  constructor(event: MvcEvent, parent: string) {
    this.#event = event;
    this.#parent = parent;
  }

  /**
   * Writes content to a new file with a meaningless name.
   * @param limit in bytes
   * @returns undefined if the content exceeds the limit
   * @throws Problem 507 if the file cannot be written
   */
  async store(content: Readable, limit: number): Promise<{ path: string; size: number } | undefined> {
    const name = String(this.#count++);
    const file = path.join(await (this.#created ??= this.#create()), name);
    const handle = await open(file, 'wx', 0o600).catch(failToStore);
    let size = 0;
    try {
      for await (const chunk of content.iterator({ destroyOnReturn: false })) {
        const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
        size += bytes.length;
        if (size > limit) return undefined;
        await handle.writeFile(bytes).catch(failToStore);
      }
    } finally {
      await handle.close();
    }
    return { path: file, size };
  }

  /** Removes the folder and its files. Failures are logged, because nobody waits for the result. */
  async remove(): Promise<void> {
    // The failure of its creation was reported.
    const folder = await this.#created?.catch(() => undefined);
    if (folder === undefined) return;
    try {
      await rm(folder, { recursive: true, force: true });
    } catch (err) {
      this.#event.log.warn(
        { module: 'content-negotiation', err },
        'Could not remove the uploaded files of a request.',
      );
    }
  }

  async #create(): Promise<string> {
    const folder = await makeTemporary(this.#parent).catch(failToStore);
    const { outgoing } = this.#event;
    if (outgoing.closed) void this.remove();
    else outgoing.once('close', () => void this.remove());
    return folder;
  }
}

/** The configured folder need not exist before the first upload. */
async function makeTemporary(parent: string): Promise<string> {
  const prefix = path.join(parent, 'platform-form-');
  return mkdtemp(prefix).catch(async (error: unknown) => {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
    await makeFolder(parent, 0o700);
    return mkdtemp(prefix);
  });
}

function failToStore(cause: unknown): never {
  throw (
    tooManyOpenFiles(cause) ??
    problem('cannot_write', { reason: 'a file of the form could not be stored.' }, { cause })
  );
}
