import { setTimeout as delay } from 'node:timers/promises';
import {
  ConfigurationChanged,
  ConfigurationError,
  editInSteps,
  editText,
  formatKeyPath,
  LOCAL_FILE,
  objectOf,
  problem,
  runCooperatively,
  withoutSchemaKey,
  type Application,
  type ApplicationHost,
  type ConfigObject,
  type Configuration,
  type JsonFile,
  type KeyPath,
  type ConfigurationRepository,
  type LockedConfiguration,
  type Revision,
  type SharedConfiguration,
} from '../../../framework';
import { AuditLog } from '../audit/audit-log';
import type {} from './audit';
import type { AuditEntry } from '../audit/audit-entry';
import type { Actor, Change, Restoration } from './change';
import { documentationIn, type DocumentedService } from './documented-service';
import { changedPathSteps, differenceSteps, type DifferenceLine } from './difference';
import { assertEditable } from './editable-paths';
import { assertEffective } from './assert-effective';
import { toChangeProblem } from './change-problem';
import { tagOf, tagSteps } from './tag';
import { assertNoNewReferences } from './variable-references';

/** How long a change is tried again while other nodes change the configuration, in milliseconds. */
const RETRIED_MS = 20_000;
const PAUSE_MS = 100;

/** The effects of a change before it is applied. */
export interface Preview {
  readonly summary: string;
  readonly difference: readonly DifferenceLine[];
  /** The tag of the compared file; pass it as `expect` when applying the change. */
  readonly tag: string;
  /** Startup warnings that the change adds. */
  readonly warnings: readonly string[];
  /** The keys whose new value requires a restart. */
  readonly restart: readonly string[];
  /** Of the service that the change is about; undefined if it is about something else, or removes it. */
  readonly documentation?: DocumentedService | undefined;
}

/** A change that has been written and activated. */
export interface Applied {
  readonly revision: Revision;
  readonly warnings: readonly string[];
  readonly restart: readonly string[];
  /** Whether all nodes of a deployment have it, not only this process. */
  readonly isRolledOut: boolean;
}

/** Preconditions of a change; a mismatch throws Problem 412. */
export interface Preconditions {
  /** The expected tag of the subject. */
  readonly ifMatch?: string | undefined;
  /** The expected tag of the file. */
  readonly expect?: string | undefined;
}

/** Checks an application before it is activated. @throws Problem */
export type Safeguard = (candidate: Application, actor: Actor) => void | Promise<void>;

/**
 * Changes the configuration at runtime. Each change is atomic: the new application is built and checked while the
 * current one keeps running; only then is the file written and the application activated. Changes are serialized.
 *
 * Every method throws Problems: 409 for a change that is overridden or would lock the administrator out, 412 for a
 * concurrent change, 422 for an invalid configuration, 507 if the file cannot be written.
 */
export class ConfigurationChanges {
  readonly #host: ApplicationHost;
  readonly #local: ConfigurationRepository;
  readonly #safeguard: Safeguard;
  readonly #audit: AuditLog;

  constructor(
    host: ApplicationHost,
    local: ConfigurationRepository,
    safeguard: Safeguard = () => undefined,
    audit: AuditLog = AuditLog.none(),
  ) {
    this.#host = host;
    this.#local = local;
    this.#safeguard = safeguard;
    this.#audit = audit;
  }

  /** Gives files to the other nodes; undefined without them. */
  get publisher(): SharedConfiguration | undefined {
    return this.#host.shared;
  }

  /** The running application. */
  get running(): Application {
    return this.#host.current;
  }

  get configuration(): Configuration {
    return this.running.configuration;
  }

  /** Returns the strong validator of the value at a path, without quotes. */
  tagOf(subject: KeyPath): string {
    return tagOf(this.configuration.valueAt(subject));
  }

  /** The same for a value that may be large: computed in steps, between which other requests are served. */
  async tag(subject: KeyPath): Promise<string> {
    return await runCooperatively(tagSteps(this.configuration.valueAt(subject)));
  }

  /** Builds the application of a change, reports the effects, and disposes of it. */
  async preview(
    change: Change | Restoration,
    actor: Actor,
    preconditions: Preconditions = {},
  ): Promise<Preview> {
    return withChangeProblems(async () => {
      const { text, tag } = await this.#local.read();
      const after = await this.#textAfter(change, text);
      const candidate = await this.#build(change, { before: text, after }, actor, preconditions);
      try {
        return {
          summary: change.summary,
          difference: await this.difference(text, after),
          tag,
          warnings: this.#newWarnings(candidate),
          restart: this.#host.restartKeysOf(candidate),
          documentation: 'edits' in change ? await documentationIn(candidate, change.service) : undefined,
        };
      } finally {
        await candidate.dispose();
      }
    });
  }

  /** Writes a change and activates its application: lock → read → build → write → activate. It is audited. */
  async apply(
    change: Change | Restoration,
    actor: Actor,
    preconditions: Preconditions = {},
  ): Promise<Applied> {
    const target = 'subject' in change ? formatKeyPath(change.subject) : LOCAL_FILE;
    const { applied } = await this.#audit.run(
      { action: 'configuration_change', actor, target, summary: change.summary },
      () =>
        withChangeProblems(() =>
          this.#onCurrent(preconditions.expect, () =>
            // A concurrent reload could replace the new application with one built from the old file.
            this.#host.exclusively(() =>
              this.#local.locked(
                (file) => this.#applyTo(file, change, actor, preconditions),
                preconditions.expect,
              ),
            ),
          ),
        ),
      ({ audited }) => audited,
    );
    return applied;
  }

  /**
   * Tries a change again on the current revision if another node has changed the configuration meanwhile, unless the
   * client has seen another one.
   */
  async #onCurrent<T>(expect: string | undefined, attempt: () => Promise<T>): Promise<T> {
    const end = performance.now() + RETRIED_MS;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        const isRetried = expect === undefined && this.publisher !== undefined && performance.now() < end;
        if (!isRetried || !(error instanceof ConfigurationChanged)) throw error;
        await delay(PAUSE_MS);
        await this.publisher.follow();
      }
    }
  }

  async #applyTo(
    file: LockedConfiguration,
    change: Change | Restoration,
    actor: Actor,
    preconditions: Preconditions,
  ): Promise<{ readonly applied: Applied; readonly audited: Partial<AuditEntry> }> {
    const { summary } = change;
    const after = await this.#textAfter(change, file.text);
    const candidate = await this.#build(change, { before: file.text, after }, actor, preconditions);
    const warnings = this.#newWarnings(candidate);
    const paths = await this.#auditedPaths(file.text, after);
    const prepared = await this.#host.prepare(candidate);
    const revision = await file
      .write(after, { summary, by: actor.name, via: actor.via })
      .catch(async (error: unknown) => {
        await prepared.discard();
        throw error;
      });
    const { restart } = await prepared.activate();
    candidate.observers.notify('changed', { actor, summary, revision: revision.number });
    const isUnchanged = after === file.text;
    const { number } = revision;
    return {
      applied: { revision, warnings, restart, isRolledOut: this.publisher !== undefined },
      audited: {
        outcome: isUnchanged ? 'unchanged' : 'success',
        revisions: [isUnchanged ? number : number - 1, number],
        paths,
      },
    };
  }

  /**
   * Compares the whole configurations: a change also loads what was edited by hand, in any file.
   * @throws Problem 403 for a value that the role of the author may not change
   */
  async #assertEditable({ role }: Actor, candidate: Application): Promise<void> {
    if (role === undefined || role === 'administrator') return;
    const [before, after] = [comparable(this.running), comparable(candidate)];
    assertEditable(role, await runCooperatively(changedPathSteps(before, after)));
  }

  /** The key paths that a change of the file concerns. */
  async #auditedPaths(before: string | undefined, after: string | undefined): Promise<readonly string[]> {
    if (!this.#audit.isEnabled) return [];
    return [...new Set((await this.difference(before, after)).map(({ path }) => path))];
  }

  /** Returns the revisions of the file without its texts, newest first, and the tag of the file. */
  history(): ReturnType<ConfigurationRepository['history']> {
    return this.#local.history();
  }

  /** Reads the revisions of the file, newest first. */
  async revisions(): Promise<readonly Revision[]> {
    return this.#local.revisions();
  }

  /** @throws Problem 404 */
  async revision(number: number): Promise<Revision> {
    const revision = await this.#local.revision(number);
    if (revision !== undefined) return revision;
    const names = (await this.history()).revisions.map((one) => String(one.number));
    throw problem('name_not_found', { kind: 'revision', name: String(number), names });
  }

  /** Compares two texts of the file in steps; secrets are masked. */
  async difference(
    before: string | undefined,
    after: string | undefined,
  ): Promise<readonly DifferenceLine[]> {
    const [lower, upper] = [await this.parsed(before), await this.parsed(after)];
    return await runCooperatively(differenceSteps(lower, upper, (path) => this.configuration.isSecret(path)));
  }

  /** Parses a text of the file in steps. Treats invalid text as empty: a restoration may be what repairs it. */
  async parsed(text: string | null | undefined): Promise<ConfigObject> {
    if (text === undefined || text === null) return {};
    try {
      return withoutSchemaKey((await this.parse(text)).value);
    } catch (error) {
      if (error instanceof ConfigurationError) return {};
      throw error;
    }
  }

  /** Parses a text of the file in steps. @throws ConfigurationError for invalid text */
  async parse(text: string): Promise<JsonFile> {
    return await this.#host.parseLocal(text);
  }

  async #textAfter(change: Change | Restoration, text: string | undefined): Promise<string | undefined> {
    if (!('edits' in change)) return change.text;
    const before = text ?? editText(undefined, []);
    return await runCooperatively(editInSteps(before, await this.parse(before), change.edits));
  }

  #newWarnings({ warnings }: Application): readonly string[] {
    return warnings.filter((warning) => !this.running.warnings.includes(warning));
  }

  async #build(
    change: Change | Restoration,
    texts: { readonly before: string | undefined; readonly after: string | undefined },
    actor: Actor,
    { ifMatch }: Preconditions,
  ): Promise<Application> {
    if (ifMatch !== undefined && 'subject' in change) {
      const now = await this.#host.configuration({ local: texts.before ?? null });
      if ((await runCooperatively(tagSteps(now.valueAt(change.subject)))) !== ifMatch) {
        throw problem('changed_meanwhile', {
          what: change.subject.at(-1)?.toString() ?? 'The configuration',
        });
      }
    }
    // Command line users can read the environment anyway.
    if ('edits' in change && actor.via !== 'command')
      assertNoNewReferences(change, await this.parsed(texts.before));
    const candidate = await this.#host.build({ local: texts.after ?? null });
    try {
      if ('edits' in change) assertEffective(change.edits, candidate.configuration);
      await this.#assertEditable(actor, candidate);
      await this.#safeguard(candidate, actor);
      return candidate;
    } catch (error) {
      await candidate.dispose();
      throw error;
    }
  }
}

/** What a change of the configuration files may change. */
function comparable({ configuration, modules }: Application): ConfigObject {
  return { ...objectOf(configuration.valueAt([])), modules: modules.map(({ name }) => name) };
}

async function withChangeProblems<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw toChangeProblem(error);
  }
}
