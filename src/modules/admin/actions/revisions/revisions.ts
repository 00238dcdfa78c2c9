import {
  ConfigurationError,
  problem,
  runCooperatively,
  type Problem,
  type ConfigurationRepository,
  type Revision,
  type RevisionEntry,
} from '../../../../framework';
import { adapterKinds, secretsOf } from '../adapters/adapter-kinds';
import { secretsMovedByUndo } from '../adapters/option-secrets';
import type { Change, Restoration } from '../../changes/change';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import type { DifferenceLine } from '../../changes/comparison/difference';
import { invalid } from '../../changes/field-errors';
import { fileLines } from './file-lines';
import type { TextLine } from './line-difference';
import type { ConfigurationText } from './masked-text';
import { undoEdits } from './undo-edits';

/** The author that the framework records if unknown. */
const UNKNOWN = 'unknown';

/** A revision in the list of revisions. */
export interface RevisionSummary {
  readonly number: number;
  /** The date in ISO 8601. */
  readonly at: string;
  /** Undefined if unknown. */
  readonly by: string | undefined;
  /** `page`, `api`, `command`, or `hand` for manual edits. */
  readonly via: string | undefined;
  readonly summary: string;
  /** Whether the file is in the state after this revision. */
  readonly isCurrent: boolean;
}

/** A difference of the file with secrets masked. */
export interface FileDifference {
  readonly difference: readonly DifferenceLine[];
  /** Undefined if one of the texts is invalid. */
  readonly lines: readonly TextLine[] | undefined;
}

export interface RevisionView extends RevisionSummary, FileDifference {
  readonly isNewest: boolean;
  /** What restoring it would change. */
  readonly fromNow: readonly DifferenceLine[];
}

type Text = string | null | undefined;

/** Lists, undoes and restores revisions of `config/autoload/local.json`. */
export class Revisions {
  readonly #changes: ConfigurationChanges;
  readonly #local: ConfigurationRepository;

  constructor(changes: ConfigurationChanges, local: ConfigurationRepository) {
    this.#changes = changes;
    this.#local = local;
  }

  /** Lists the revisions, newest first. */
  async list(): Promise<readonly RevisionSummary[]> {
    const { revisions, tag } = await this.#changes.history();
    const current = revisions.findIndex(({ afterTag }) => afterTag === tag);
    return revisions.map((one, at) => summaryOf(one, at === current));
  }

  /** @throws Problem 404 */
  async get(number: number): Promise<RevisionView> {
    const revision = await this.#changes.revision(number);
    const [newest] = (await this.#changes.history()).revisions;
    const { text } = await this.#local.read();
    return {
      ...summaryOf(revision, revision.after === (text ?? null)),
      ...(await this.#compare(revision.before, revision.after)),
      isNewest: newest?.number === number,
      fromNow: await this.#changes.texts.difference(text, revision.after),
    };
  }

  /** Returns the manual edits since the newest revision; undefined if there are none. */
  async byHand(): Promise<FileDifference | undefined> {
    const { revisions, tag } = await this.#changes.history();
    const [newest] = revisions;
    if (newest === undefined || newest.afterTag === tag) return undefined;
    const { after } = await this.#changes.revision(newest.number);
    return this.#compare(after, (await this.#local.read()).text);
  }

  /** Lists the revisions after one that changed the same values, or all of them if none did, the newest first. */
  async later(number: number): Promise<readonly RevisionSummary[]> {
    const later = (await this.#changes.history()).revisions.filter((one) => one.number > number);
    if (later.length === 0) return [];
    const own = await this.#changedPaths(await this.#changes.revision(number));
    const dependent: RevisionEntry[] = [];
    for (const one of later) {
      const revision = await this.#changes.findRevision(one.number);
      const paths = revision === undefined ? [] : await this.#changedPaths(revision);
      if (paths.some((path) => own.some((other) => overlap(path, other)))) dependent.push(one);
    }
    return (dependent.length > 0 ? dependent : later).map((one) => summaryOf(one, false));
  }

  /** Returns the tag of the file as the newest revision has left it. @throws Problem 412 if there is another one, or an edit */
  async tagAfter(newest: number): Promise<string> {
    const { revisions, tag } = await this.#changes.history();
    const [last] = revisions;
    if (last?.number === newest && last.afterTag === tag) return tag;
    throw problem('changed_meanwhile', { what: 'The configuration' });
  }

  /** Prepares restoring the file as it was before or after a revision. @throws Problem 404, 422 if it is so already */
  async prepareRestore(number: number, side: 'before' | 'after' = 'after'): Promise<Restoration> {
    const { [side]: text, summary } = await this.#changes.revision(number);
    if (text === ((await this.#local.read()).text ?? null))
      throw noChange(`The configuration is as it was ${side} this revision.`);
    return {
      summary: `Restored the state ${side} revision ${number}: ${summary}`,
      text: text ?? undefined,
    };
  }

  /**
   * Prepares undoing one revision: the newest byte for byte, an older one without reverting later changes.
   * @throws Problem 404, 409 if its values have changed since, 422 if nothing of it is left, or the file is invalid
   */
  async prepareUndo(number: number): Promise<Change | Restoration> {
    const revision = await this.#changes.revision(number);
    const [newest] = (await this.#changes.history()).revisions;
    const { text } = await this.#local.read();
    const summary = `Undid revision ${number}: ${revision.summary}`;
    const basis = {
      isCurrent: (now: string | undefined) => now === text,
      prepare: () => this.prepareUndo(number),
    };
    if (newest?.number === number && revision.after === (text ?? null))
      return { summary, text: revision.before ?? undefined, basis };
    await this.#assertValid(text);
    const before = await this.#changes.texts.parsed(revision.before);
    const current = await this.#changes.texts.parsed(text);
    const { edits, changedSince } = undoEdits(
      before,
      await this.#changes.texts.parsed(revision.after),
      current,
    );
    const schemas = (await adapterKinds(this.#changes.running)).map(({ schema }) => schema);
    const paths = [...changedSince, ...secretsMovedByUndo(schemas, edits, { before, current })];
    if (paths.length > 0) throw problem('changed_since', { revision: number, paths });
    if (edits.length === 0) throw noChange('The values are as they were before this revision.');
    return { summary, edits, subject: [], isUndoing: true, basis };
  }

  /** Everything would seem to have been removed since. @throws Problem 422 for invalid text */
  async #assertValid(text: string | undefined): Promise<void> {
    try {
      if (text !== undefined) await this.#changes.texts.parse(text);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      throw invalid([{ pointer: '', message: `${error.message} Repair the file, or restore a revision.` }]);
    }
  }

  async #changedPaths({ before, after }: Revision): Promise<readonly string[]> {
    return await this.#changes.texts.changedPaths(before, after);
  }

  async #compare(before: Text, after: Text): Promise<FileDifference> {
    const difference = await this.#changes.texts.difference(before, after);
    const isSecret = await secretsOf(this.#changes.running);
    try {
      const [previous, current] = [await this.#parsed(before), await this.#parsed(after)];
      return { difference, lines: await runCooperatively(fileLines(previous, current, isSecret)) };
    } catch (error) {
      // Secrets cannot be identified in invalid text.
      if (error instanceof ConfigurationError) return { difference, lines: undefined };
      throw error;
    }
  }

  /** @throws ConfigurationError for invalid text */
  async #parsed(text: Text): Promise<ConfigurationText | undefined> {
    if (text === null || text === undefined) return undefined;
    return { text: text.replace(/^\uFEFF/, ''), file: await this.#changes.texts.parse(text) };
  }
}

function summaryOf({ number, at, by, via, summary }: RevisionEntry, isCurrent: boolean): RevisionSummary {
  const isOutside = by === UNKNOWN && via === undefined;
  return {
    number,
    at,
    by: isOutside ? undefined : by,
    via: isOutside ? 'hand' : via,
    summary,
    isCurrent,
  };
}

function noChange(state: string): Problem {
  return invalid([{ pointer: '', message: `Nothing to change. ${state}` }]);
}

/** Whether two displayed paths are the same, or one is inside the other. */
function overlap(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long === short || (long.startsWith(short) && /^[.[]/.test(long.slice(short.length)));
}
