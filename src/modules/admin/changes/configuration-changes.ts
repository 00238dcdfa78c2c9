import {
  formatKeyPath,
  LOCAL_FILE,
  problem,
  runCooperatively,
  type Application,
  type ApplicationHost,
  type Configuration,
  type KeyPath,
  type ConfigurationRepository,
  type LockedConfiguration,
  type Revision,
  type SharedConfiguration,
} from '../../../framework';
import { AuditLog } from '../audit/audit-log';
import type {} from './audit';
import type { AuditEntry } from '../audit/audit-entry';
import { CandidateBuilder, type Safeguard } from './candidate/candidate-builder';
import { tagInFiles, type Preconditions } from './candidate/preconditions';
import type { Actor, Change, Restoration } from './change';
import type { Applied, Preview } from './change-effects';
import { withChangeProblems } from './change-problem';
import { retryOnCurrentRevision } from './change-retry';
import { documentationIn } from './documented-service';
import { LocalFileTexts } from './local-file-texts';
import { tagOf, tagSteps } from './comparison/tag';

/**
 * Changes the configuration at runtime. Each change is atomic: the new application is built and checked while the
 * current one keeps running; only then is the file written and the application activated. Changes are serialized.
 *
 * Every method throws Problems: 409 for a change that is overridden or would lock the administrator out, 412 for a
 * concurrent change, 422 for an invalid configuration, 507 if the file cannot be written.
 */
export class ConfigurationChanges {
  /** Parses, compares and edits texts of the file. */
  readonly texts: LocalFileTexts;
  readonly #host: ApplicationHost;
  readonly #local: ConfigurationRepository;
  readonly #candidates: CandidateBuilder;
  readonly #audit: AuditLog;

  constructor(
    host: ApplicationHost,
    local: ConfigurationRepository,
    safeguard: Safeguard = () => undefined,
    audit: AuditLog = AuditLog.none(),
  ) {
    this.#host = host;
    this.#local = local;
    this.texts = new LocalFileTexts(host);
    this.#candidates = new CandidateBuilder(host, this.texts, safeguard);
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

  /** Reads `local.json`, and the tag that `If-Match` is compared with: the files may have changed since they were loaded. */
  inFiles(subject: KeyPath): Promise<{ readonly text: string | undefined; readonly tag: string }> {
    return withChangeProblems(async () => {
      const { text } = await this.#local.read();
      return { text, tag: await tagInFiles(this.#host, subject, text) };
    });
  }

  /** Prepares a change from the running configuration; again if another change is activated before it is applied. */
  async prepared(prepare: () => Promise<Change>): Promise<Change> {
    const { running } = this;
    return { ...(await prepare()), basis: { isCurrent: () => this.running === running, prepare } };
  }

  /** Builds the application of a change, reports the effects, and disposes of it. */
  async preview(
    requested: Change | Restoration,
    actor: Actor,
    preconditions: Preconditions = {},
  ): Promise<Preview> {
    return withChangeProblems(async () => {
      const { text: before, tag } = await this.#local.read();
      const change = await preparedFrom(before, requested);
      const after = await this.texts.changed(before, change);
      const candidate = await this.#candidates.build(change, { before, after }, actor, preconditions);
      try {
        return {
          summary: change.summary,
          difference: await this.texts.difference(before, after),
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
          retryOnCurrentRevision(this.#host, preconditions.expect, () =>
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

  async #applyTo(
    file: LockedConfiguration,
    requested: Change | Restoration,
    actor: Actor,
    preconditions: Preconditions,
  ): Promise<{ readonly applied: Applied; readonly audited: Partial<AuditEntry> }> {
    const before = file.text;
    const change = await preparedFrom(before, requested);
    const { summary } = change;
    const after = await this.texts.changed(before, change);
    const candidate = await this.#candidates.build(change, { before, after }, actor, preconditions);
    const warnings = this.#newWarnings(candidate);
    const paths = await this.#auditedPaths(before, after);
    const prepared = await this.#host.prepare(candidate, { isProposed: true });
    const revision = await file
      .write(after, { summary, by: actor.name, via: actor.via })
      .catch(async (error: unknown) => {
        await prepared.discard();
        throw error;
      });
    const { restart } = await prepared.activate();
    const isUnchanged = after === before;
    const { number } = revision;
    if (!isUnchanged) candidate.observers.notify('changed', { actor, summary, revision: number });
    return {
      applied: {
        summary,
        service: 'edits' in change ? change.service : undefined,
        ...{ revision, warnings, restart },
        isRolledOut: this.publisher !== undefined,
      },
      audited: {
        outcome: isUnchanged ? 'unchanged' : 'success',
        revisions: [isUnchanged ? number : number - 1, number],
        paths,
      },
    };
  }

  /** The key paths that a change of the file concerns. */
  async #auditedPaths(before: string | undefined, after: string | undefined): Promise<readonly string[]> {
    if (!this.#audit.isEnabled) return [];
    return [...new Set(await this.texts.changedPaths(before, after))];
  }

  /**
   * Returns the revisions of the file without its texts, newest first, and the tag of the file.
   * @throws Problem 507 if their folder cannot be used
   */
  history(): ReturnType<ConfigurationRepository['history']> {
    return withChangeProblems(() => this.#local.history());
  }

  /** Reads the revisions of the file, newest first. @throws Problem 507 if their folder cannot be used */
  revisions(): Promise<readonly Revision[]> {
    return withChangeProblems(() => this.#local.revisions());
  }

  /**
   * Reads a revision; undefined if it does not exist (any more): changes delete the oldest ones.
   * @throws Problem 507 if their folder cannot be used
   */
  findRevision(number: number): Promise<Revision | undefined> {
    return withChangeProblems(() => this.#local.revision(number));
  }

  /** @throws Problem 404, 507 if their folder cannot be used */
  async revision(number: number): Promise<Revision> {
    const revision = await this.findRevision(number);
    if (revision !== undefined) return revision;
    const names = (await this.history()).revisions.map((one) => String(one.number));
    throw problem('name_not_found', { kind: 'revision', name: String(number), names });
  }

  #newWarnings({ warnings }: Application): readonly string[] {
    const known = new Set(this.running.warnings.map(withoutPositions));
    return warnings.filter((warning) => !known.has(withoutPositions(warning)));
  }
}

/** A change moves the lines of what follows it. */
function withoutPositions(warning: string): string {
  return warning.replace(/(\.json):\d+:\d+/g, '$1');
}

/** @param text of the file; undefined without it. @throws Problem if the change cannot be prepared from it */
async function preparedFrom(
  text: string | undefined,
  change: Change | Restoration,
): Promise<Change | Restoration> {
  const { basis } = change;
  return basis === undefined || basis.isCurrent(text) ? change : await basis.prepare();
}
