import { Problem, type MaybePromise } from '../../../framework';
import type { Change, Restoration } from '../changes/change';
import type { ConfigurationChanges, Preview } from '../changes/configuration-changes';
import { editConflict } from './edit-conflict';
import type { PageContext, PageResult, ProposalOptions } from './admin-page';

/** Fields of forms that are the infrastructure's own. */
export const INTERNAL_FIELDS = {
  /** The session's token. */
  csrf: 'csrf',
  /** The tag of the file that the difference was shown of: what was seen is what is applied. */
  confirm: 'confirm',
  /** The tag of the other's change that was shown, and is to be overwritten. */
  over: 'over',
} as const;

/** Told with the form again: it is for the administrator to mend, or to try once more. */
const CORRECTABLE: readonly number[] = [409, 422, 507];

const PRECONDITION_FAILED = 412;

/** Takes one change from a form to the configuration, by way of a page that shows the difference. */
export class Proposal {
  readonly #context: PageContext;
  readonly #changes: ConfigurationChanges;
  readonly #tell: (message: string, undo: number) => void;
  readonly #options: ProposalOptions;

  constructor(
    context: PageContext,
    changes: ConfigurationChanges,
    tell: (message: string, undo: number) => void,
    options: ProposalOptions,
  ) {
    this.#context = context;
    this.#changes = changes;
    this.#tell = tell;
    this.#options = options;
  }

  async answer(make: () => MaybePromise<Change | Restoration>): Promise<PageResult> {
    const expect = this.#context.form.get(INTERNAL_FIELDS.confirm);
    try {
      const change = await make();
      return expect === null ? await this.#show(change, false) : await this.#apply(change, expect);
    } catch (error) {
      if (!(error instanceof Problem) || !CORRECTABLE.includes(error.status)) throw error;
      const page = this.#options.invalid(error);
      this.#context.event.response.status = error.status;
      return page;
    }
  }

  /** What who made the form had seen of it. */
  get #ifMatch(): string | undefined {
    return this.#context.form.get(INTERNAL_FIELDS.over) ?? this.#options.ifMatch;
  }

  async #apply(change: Change | Restoration, expect: string): Promise<PageResult> {
    const { redirect, actor } = this.#context;
    try {
      const conditions = { expect, ifMatch: this.#ifMatch };
      const { revision, warnings, restart } = await this.#changes.apply(change, actor, conditions);
      const more = [
        ...warnings,
        ...(restart.length > 0 ? [`Requires a restart: ${restart.join(', ')}.`] : []),
      ];
      this.#tell([`${change.summary}.`.replace(/\.+$/, '.'), ...more].join(' '), revision.number);
      return redirect(this.#options.done);
    } catch (error) {
      if (!isEditConflict(error)) throw error;
      // Elsewhere in the file: what is seen now is to be confirmed.
      return await this.#show(change, true);
    }
  }

  async #show(change: Change | Restoration, again: boolean): Promise<PageResult> {
    const { actor } = this.#context;
    try {
      const preview = await this.#changes.preview(change, actor, { ifMatch: this.#ifMatch });
      return this.#difference(preview, again);
    } catch (error) {
      if (!isEditConflict(error)) throw error;
      return await this.#conflict(change);
    }
  }

  #difference(preview: Preview, again: boolean): PageResult {
    const { show } = this.#context;
    const variables = {
      ...preview,
      again,
      action: this.#action,
      fields: this.#typed([INTERNAL_FIELDS.over]),
      back: this.#options.done,
    };
    return show('difference', variables, again ? PRECONDITION_FAILED : 200);
  }

  /** Somebody else was first: their change stands beside what was typed. */
  async #conflict(change: Change | Restoration): Promise<PageResult> {
    const { show, actor, event } = this.#context;
    const preview = await this.#changes.preview(change, actor);
    const all = await this.#changes.revisions();
    const theirs = 'subject' in change ? editConflict(all, change.subject, this.#ifMatch) : all.slice(0, 1);
    const revisions = theirs.map(({ number, at, by, summary, before, after }) => ({
      number,
      at,
      by,
      summary,
      difference: this.#changes.difference(before ?? undefined, after ?? undefined),
    }));
    const variables = {
      mine: preview,
      revisions,
      action: this.#action,
      fields: this.#typed(),
      over: 'subject' in change ? this.#changes.tagOf(change.subject) : undefined,
      again: event.request.path,
      back: this.#options.done,
    };
    return show('conflict', variables, PRECONDITION_FAILED);
  }

  get #action(): string {
    return this.#context.event.request.target;
  }

  /** The fields as they were sent, to be sent once more. @param keep own fields that go along */
  #typed(keep: readonly string[] = []): readonly (readonly [name: string, value: string])[] {
    const own: readonly string[] = Object.values(INTERNAL_FIELDS);
    return [...this.#context.form].filter(([name]) => !own.includes(name) || keep.includes(name));
  }
}

function isEditConflict(error: unknown): boolean {
  return error instanceof Problem && error.status === PRECONDITION_FAILED;
}
