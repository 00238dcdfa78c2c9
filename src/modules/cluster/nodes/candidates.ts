import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  LOCAL_FILE,
  systemErrorCode,
  withFileErrors,
  type Application,
  type ApplicationHost,
  errorMessage,
} from '../../../framework';
import type { ConfigurationStore, Proposal } from '../store/configuration-store';
import type { Answer } from '../store/node-report';
import { storableText } from '../store/storable-text';
import type { StoredRevision } from '../store/stored-revision';
import { readContent } from './revision-files';
import type { SharedDocuments } from './shared-documents';

/** An application that was built for a proposal. */
interface Candidate {
  readonly proposal: string;
  /** Of `local.json`; undefined for none. */
  readonly local: string | undefined;
  readonly application: Application | undefined;
  /** Files that were created for it. */
  readonly created: readonly string[];
}

/** Builds applications for proposals, next to the active one, to see whether this node can use them. */
export class Candidates {
  readonly #host: ApplicationHost;
  readonly #store: ConfigurationStore;
  readonly #documents: SharedDocuments;
  #candidate: Candidate | undefined;

  constructor(host: ApplicationHost, store: ConfigurationStore, documents: SharedDocuments) {
    this.#host = host;
    this.#store = store;
    this.#documents = documents;
  }

  /**
   * Answers a proposal.
   * @param current the current revision, as far as this node knows
   * @param running the hash of the `local.json` of the active application
   * @throws ConfigurationUnavailable if the revision that it replaces cannot be read
   */
  async judge(
    { id, base: replaced, revision }: Proposal,
    current: StoredRevision | undefined,
    running: string | undefined,
  ): Promise<Answer> {
    await this.discard(current);
    const reading = readContent(this.#store, revision);
    // It is awaited below.
    reading.catch(() => undefined);
    const base = await this.#store.revision(replaced);
    const local = revision.documents[LOCAL_FILE];
    // A node that cannot use the current configuration, or has no space for it, must not keep others from removing a user.
    const isUnchanged = (name: string): boolean =>
      base !== undefined && base.documents[name] === revision.documents[name];
    const created: string[] = [];
    let application: Application | undefined;
    try {
      const content = await reading;
      for (const [name, bytes] of content.content) {
        if (name !== LOCAL_FILE && (await this.#documents.hashOf(name)) === undefined) {
          await this.#documents.write(name, bytes);
          created.push(name);
        } else await this.#assertWritable(name, isUnchanged(name) ? undefined : bytes);
      }
      const text = content.content.get(LOCAL_FILE)?.toString() ?? null;
      // Edits by hand, which a reload has proposed, have no `via`.
      if (local !== running && !isUnchanged(LOCAL_FILE))
        application = await this.#host.build({ local: text, isProposed: revision.via !== undefined });
      this.#candidate = { proposal: id, local, application, created };
      return { ok: true };
    } catch (error) {
      this.#candidate = { proposal: id, local, application, created };
      return { ok: false, message: storableText(errorMessage(error)) };
    }
  }

  /** Returns the application that was built for a revision, which the caller owns then. */
  take({ documents }: StoredRevision): Application | undefined {
    const candidate = this.#candidate;
    if (candidate?.application === undefined || candidate.local !== documents[LOCAL_FILE]) return undefined;
    this.#candidate = { ...candidate, application: undefined };
    return candidate.application;
  }

  /**
   * Disposes of the application of a proposal that is not open any more.
   * @param current the current revision, whose files stay
   */
  async discard(current: StoredRevision | undefined): Promise<void> {
    const candidate = this.#candidate;
    if (candidate === undefined) return;
    this.#candidate = undefined;
    await candidate.application?.dispose();
    for (const name of candidate.created)
      if (current !== undefined && current.documents[name] === undefined) await this.#documents.remove(name);
  }

  /**
   * @param bytes what replaces the file; undefined for one that is not changed
   * @throws Error for a file that this node could not replace, also without space for it
   */
  async #assertWritable(name: string, bytes: Buffer | undefined): Promise<void> {
    const file = this.#documents.fileOf(name);
    let folder = path.dirname(file);
    for (;;) {
      try {
        await access(folder, constants.W_OK);
        break;
      } catch (error) {
        const code = systemErrorCode(error);
        if (code !== 'ENOENT' || folder === path.dirname(folder))
          throw new Error(
            `${name} cannot be written (${code}). Grant the service write access to its folder.`,
            {
              cause: error,
            },
          );
        folder = path.dirname(folder);
      }
    }
    if (bytes === undefined || (await this.#documents.read(name))?.equals(bytes) === true) return;
    const draft = path.join(folder, `${path.basename(file)}.${randomUUID()}.tmp`);
    await withFileErrors(file, () => writeFile(draft, bytes, { flag: 'wx', mode: 0o600 })).finally(() =>
      rm(draft, { force: true }).catch(() => undefined),
    );
  }
}
