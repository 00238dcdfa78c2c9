import {
  parseConfiguration,
  problem,
  type ConfigTree,
  type LocalConfiguration,
  type Revision,
} from '../../../../framework';
import type { Change, Restoration } from '../../changes/change';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import type { DifferenceLine } from '../../changes/difference';
import { lineDifference, type TextLine } from './line-difference';
import { maskedText } from './masked-text';
import { undoing } from './undoing';

/** By whom the framework says that nobody knows. */
const UNKNOWN = 'unknown';

/** A revision as it is listed. */
export interface RevisionSummary {
  readonly number: number;
  /** When, in ISO 8601. */
  readonly at: string;
  /** Undefined where nobody knows. */
  readonly by: string | undefined;
  /** `page`, `api`, `command`, or `hand` for what was changed outside. */
  readonly via: string | undefined;
  readonly summary: string;
  /** The key paths that it has changed. */
  readonly paths: readonly string[];
  /** Whether the file is as it was after this one. */
  readonly isCurrent: boolean;
}

/** What differs in the file; secrets are masked. */
export interface FileDifference {
  readonly difference: readonly DifferenceLine[];
  /** Undefined where one of the texts cannot be parsed. */
  readonly lines: readonly TextLine[] | undefined;
}

export interface RevisionView extends RevisionSummary, FileDifference {
  readonly isNewest: boolean;
  /** What restoring it would change in the file as it is now. */
  readonly fromNow: readonly DifferenceLine[];
}

type Text = string | null | undefined;

/** The changes of `config/autoload/local.json` that were made, and the way back. */
export class Revisions {
  readonly #changes: ConfigurationChanges;
  readonly #local: LocalConfiguration;

  constructor(changes: ConfigurationChanges, local: LocalConfiguration) {
    this.#changes = changes;
    this.#local = local;
  }

  /** The newest first. */
  async list(): Promise<readonly RevisionSummary[]> {
    const [revisions, { text }] = [await this.#changes.revisions(), await this.#local.read()];
    const current = revisions.findIndex(({ after }) => after === (text ?? null));
    return revisions.map((one, at) => this.#summarize(one, at === current));
  }

  /** @throws Problem 404 */
  async get(number: number): Promise<RevisionView> {
    const revision = await this.#changes.revision(number);
    const [newest] = await this.#changes.revisions();
    const { text } = await this.#local.read();
    return {
      ...this.#summarize(revision, revision.after === (text ?? null)),
      ...this.#compare(revision.before, revision.after),
      isNewest: newest?.number === number,
      fromNow: this.#compare(text, revision.after).difference,
    };
  }

  /** What was written by hand since the newest revision; undefined where the file is as that has left it. */
  async byHand(): Promise<FileDifference | undefined> {
    const [newest] = await this.#changes.revisions();
    const { text } = await this.#local.read();
    return newest === undefined || newest.after === (text ?? null)
      ? undefined
      : this.#compare(newest.after, text);
  }

  /** The file as it was before or after a revision. @throws Problem 404 */
  async toRestore(number: number, side: 'before' | 'after' = 'after'): Promise<Restoration> {
    const { [side]: text, summary } = await this.#changes.revision(number);
    return {
      summary: `Restored what was ${side === 'after' ? '' : 'before '}revision ${number}: ${summary}`,
      text: text ?? undefined,
    };
  }

  /**
   * Takes one revision back: the newest as if it had never been, to the byte; one before it without what came later.
   * @throws Problem 404, or 409 where what it has changed was changed again since
   */
  async toUndo(number: number): Promise<Change | Restoration> {
    const revision = await this.#changes.revision(number);
    const [newest] = await this.#changes.revisions();
    const { text } = await this.#local.read();
    const summary = `Undid revision ${number}: ${revision.summary}`;
    if (newest?.number === number && revision.after === (text ?? null))
      return { summary, text: revision.before ?? undefined };
    const { edits, changedSince: paths } = undoing(
      treeOf(revision.before),
      treeOf(revision.after),
      treeOf(text),
    );
    if (paths.length > 0) throw problem('changed_since', { revision: number, paths });
    return { summary, edits, subject: [] };
  }

  #summarize({ number, at, by, via, summary, before, after }: Revision, isCurrent: boolean): RevisionSummary {
    const isOutside = by === UNKNOWN && via === undefined;
    const paths = this.#changes.difference(before ?? undefined, after ?? undefined).map(({ path }) => path);
    return {
      number,
      at,
      by: isOutside ? undefined : by,
      via: isOutside ? 'hand' : via,
      summary,
      paths,
      isCurrent,
    };
  }

  #compare(before: Text, after: Text): FileDifference {
    const isSecret = (path: readonly (string | number)[]): boolean =>
      this.#changes.configuration.isSecret(path);
    const [old, young] = [before, after].map((text) =>
      text === null || text === undefined ? '' : maskedText(text, isSecret),
    );
    return {
      difference: this.#changes.difference(before ?? undefined, after ?? undefined),
      lines: old === undefined || young === undefined ? undefined : lineDifference(old, young),
    };
  }
}

/** What cannot be parsed is nothing: a restoration may be what mends it. */
function treeOf(text: Text): ConfigTree {
  try {
    return text === null || text === undefined ? {} : parseConfiguration(text);
  } catch {
    return {};
  }
}
