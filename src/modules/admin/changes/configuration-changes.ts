import {
  editText,
  parseConfiguration,
  problem,
  type Application,
  type ApplicationHost,
  type ConfigObject,
  type Configuration,
  type KeyPath,
  type LocalConfiguration,
  type LockedConfiguration,
  type Revision,
} from '../../../framework';
import type {} from './audit';
import type { Actor, Change, Restoration } from './change';
import { differenceOf, type DifferenceLine } from './difference';
import { assertEffective } from './assert-effective';
import { forbiddenMessage } from './refusal';
import { tagOf } from './tag';
import { assertNoNewReferences } from './variable-references';

/** A change as it would be, before it is applied. */
export interface Preview {
  readonly summary: string;
  readonly difference: readonly DifferenceLine[];
  /** The tag of the file that the difference was made of, to be given back as `expect`. */
  readonly tag: string;
  /** What an operator should know, and did not before, though the service would run. */
  readonly warnings: readonly string[];
  /** The keys whose new value only a restart takes up. */
  readonly restart: readonly string[];
}

/** A change that is written and in force. */
export interface Applied {
  readonly revision: Revision;
  readonly warnings: readonly string[];
  readonly restart: readonly string[];
}

export interface Conditions {
  /** Refuses with 412 unless the subject still has this tag. */
  readonly ifMatch?: string | undefined;
  /** Refuses with 412 unless the file still has this tag. */
  readonly expect?: string | undefined;
}

/** What else must hold of an application before it is put in place. @throws Problem */
export type Safeguard = (candidate: Application, actor: Actor) => void | Promise<void>;

/**
 * The one way in which configuration is changed while the service runs: the application that the change would
 * make is built beside the running one, and what is wrong with it refuses the change; otherwise the file is
 * written and the application put in place. All or nothing, one change after the other.
 *
 * Every method throws Problems: 412 when the configuration was changed meanwhile, 409 when the change would do
 * nothing or too much, 422 when the service could not run with it, 507 when it cannot be written.
 */
export class ConfigurationChanges {
  readonly #host: ApplicationHost;
  readonly #local: LocalConfiguration;
  readonly #safeguard: Safeguard;

  constructor(host: ApplicationHost, local: LocalConfiguration, safeguard: Safeguard = () => undefined) {
    this.#host = host;
    this.#local = local;
    this.#safeguard = safeguard;
  }

  /** The running application. */
  get running(): Application {
    return this.#host.current;
  }

  get configuration(): Configuration {
    return this.running.configuration;
  }

  /** The strong validator of the value at a path, without quotes. */
  tagOf(subject: KeyPath): string {
    return tagOf(this.configuration.valueAt(subject));
  }

  /** What a change would do: its application is built, looked at, and put away again. */
  async preview(change: Change | Restoration, actor: Actor, conditions: Conditions = {}): Promise<Preview> {
    return refusing(async () => {
      const { text, tag } = await this.#local.read();
      const after = make(change, text);
      const candidate = await this.#candidate(change, { before: text, after }, actor, conditions);
      try {
        return {
          summary: change.summary,
          difference: this.difference(text, after),
          tag,
          warnings: this.#newWarnings(candidate),
          restart: this.#host.restartKeysOf(candidate),
        };
      } finally {
        await candidate.dispose();
      }
    });
  }

  /** Writes a change and activates its application: lock → read → build → write → activate. */
  async apply(change: Change | Restoration, actor: Actor, conditions: Conditions = {}): Promise<Applied> {
    return refusing(() =>
      // A reload in between would activate an application of the old file over the new one.
      this.#host.exclusively(() =>
        this.#local.locked((file) => this.#applyTo(file, change, actor, conditions), conditions.expect),
      ),
    );
  }

  async #applyTo(
    file: LockedConfiguration,
    change: Change | Restoration,
    actor: Actor,
    conditions: Conditions,
  ): Promise<Applied> {
    const { summary } = change;
    const after = make(change, file.text);
    const candidate = await this.#candidate(change, { before: file.text, after }, actor, conditions);
    const warnings = this.#newWarnings(candidate);
    const revision = await file
      .write(after, { summary, by: actor.name, via: actor.via })
      .catch(async (error: unknown) => {
        await candidate.dispose();
        throw error;
      });
    const { restart } = this.#host.activate(candidate);
    candidate.observers.notify('changed', { actor, summary, revision: revision.number });
    return { revision, warnings, restart };
  }

  /** The revisions of the file, the newest first. */
  async revisions(): Promise<readonly Revision[]> {
    return this.#local.revisions();
  }

  /** @throws Problem 404 */
  async revision(number: number): Promise<Revision> {
    const revision = await this.#local.revision(number);
    if (revision !== undefined) return revision;
    const names = (await this.#local.revisions()).map((one) => String(one.number));
    throw problem('name_not_found', { kind: 'revision', name: String(number), names });
  }

  /** What differs between two texts of the file, secrets masked. */
  difference(before: string | undefined, after: string | undefined): readonly DifferenceLine[] {
    return differenceOf(treeOf(before), treeOf(after), (path) => this.configuration.isSecret(path));
  }

  #newWarnings({ warnings }: Application): readonly string[] {
    return warnings.filter((warning) => !this.running.warnings.includes(warning));
  }

  async #candidate(
    change: Change | Restoration,
    texts: { readonly before: string | undefined; readonly after: string | undefined },
    actor: Actor,
    { ifMatch }: Conditions,
  ): Promise<Application> {
    if (ifMatch !== undefined && 'subject' in change) {
      const now = await this.#host.configuration({ local: texts.before ?? null });
      if (tagOf(now.valueAt(change.subject)) !== ifMatch) {
        throw problem('changed_meanwhile', {
          what: change.subject.at(-1)?.toString() ?? 'The configuration',
        });
      }
    }
    // Who works on the command line has the environment, too.
    if ('edits' in change && actor.via !== 'command') assertNoNewReferences(change, treeOf(texts.before));
    const candidate = await this.#host.build({ local: texts.after ?? null });
    try {
      if ('edits' in change) assertEffective(change.edits, candidate.configuration);
      await this.#safeguard(candidate, actor);
      return candidate;
    } catch (error) {
      await candidate.dispose();
      throw error;
    }
  }
}

function make(change: Change | Restoration, text: string | undefined): string | undefined {
  return 'edits' in change ? editText(text, change.edits) : change.text;
}

async function refusing<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw forbiddenMessage(error);
  }
}

/** A file that cannot be parsed is shown as if it were empty: it may be what a restoration mends. */
function treeOf(text: string | undefined): ConfigObject {
  if (text === undefined) return {};
  try {
    return parseConfiguration(text);
  } catch {
    return {};
  }
}
