import path from 'node:path';
import { fileMark, type Application } from '../../../../framework';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import type { AdapterView } from '../adapters/adapter-view';
import type { Adapters } from '../adapters/adapters';
import { gapsOf, type NamedGap } from './build-access-map';
import type { AccessState } from './access-state';
import { readAccess } from './read-access';

/** Who may call what, with the gaps. */
export interface Access {
  readonly state: AccessState;
  readonly gaps: readonly NamedGap[];
}

interface CachedAccess {
  /** The states of the files of all adapters when they were read. */
  readonly marks: string;
  readonly access: Promise<Access>;
}

/** Reads who may call what in the running application, and again once it or a file of its adapters has changed. */
export class AccessReader {
  readonly #changes: ConfigurationChanges;
  readonly #adapters: Adapters;
  readonly #cached = new WeakMap<Application, CachedAccess>();

  constructor(changes: ConfigurationChanges, adapters: Adapters) {
    this.#changes = changes;
    this.#adapters = adapters;
  }

  async read(): Promise<Access> {
    const { running } = this.#changes;
    const adapters = await this.#adapters.list();
    const marks = await marksOf(running, adapters);
    const cached = this.#cached.get(running);
    if (cached?.marks === marks) return cached.access;
    const access = readWithGaps(running, adapters);
    this.#cached.set(running, { marks, access });
    // An error is not cached: the next view reads again.
    access.catch(() => this.#cached.delete(running));
    return access;
  }
}

async function readWithGaps(application: Application, adapters: readonly AdapterView[]): Promise<Access> {
  const state = await readAccess(application, adapters);
  return { state, gaps: gapsOf(state) };
}

async function marksOf({ configuration }: Application, adapters: readonly AdapterView[]): Promise<string> {
  const files = new Set(
    adapters.flatMap((adapter) => adapter.files.map((file) => path.resolve(configuration.root, file.path))),
  );
  return (await Promise.all([...files].map(fileMark))).join('\n');
}
