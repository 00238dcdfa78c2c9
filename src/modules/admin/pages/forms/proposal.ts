import { Problem, runCooperatively, type MaybePromise } from '../../../../framework';
import type { Change, Restoration } from '../../changes/change';
import type { Preview } from '../../changes/change-effects';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { invalid } from '../../changes/field-errors';
import { tagSteps } from '../../changes/comparison/tag';
import { editConflict, isEditedByHand } from './edit-conflict';
import type { PageContext, PageResult, ProposalOptions } from '../admin-page';
import { isCorrectable, respondWith } from './form-errors';
import { groupWarnings } from '../warning-groups';

/** Form fields with a meaning of their own. */
export const INTERNAL_FIELDS = {
  /** The CSRF token. */
  csrf: 'csrf',
  /** The tags of the file and of the edits in the confirmed preview. */
  confirm: 'confirm',
  /** The token of the kept review that is confirmed. */
  review: 'review',
  /** Shows the form again with the submitted fields. */
  edit: 'edit',
  /** The token of the review that the form edits again. */
  edited: 'edited',
} as const;

/** The field with the tag of the subject that the author of a form has seen. */
const TAG = 'tag';

const PRECONDITION_FAILED = 412;

/** The most warnings that the message after a change lists. */
const MAX_WARNINGS = 3;

/** Handles a change submitted by a form: shows the preview, then applies the confirmed change. */
export class Proposal {
  readonly #context: PageContext;
  readonly #changes: ConfigurationChanges;
  readonly #saved: (message: string, undo: number) => Promise<void>;
  readonly #options: ProposalOptions & { readonly canEdit: boolean };

  constructor(
    context: PageContext,
    changes: ConfigurationChanges,
    saved: (message: string, undo: number) => Promise<void>,
    options: ProposalOptions & { readonly canEdit: boolean },
  ) {
    this.#context = context;
    this.#changes = changes;
    this.#saved = saved;
    this.#options = options;
  }

  async respond(prepare: () => MaybePromise<Change | Restoration>): Promise<PageResult> {
    const confirmed = this.#context.form.get(INTERNAL_FIELDS.confirm);
    try {
      const change = await prepare();
      if ('edits' in change && change.edits.length === 0)
        throw invalid([{ pointer: '', message: 'No changes to save.' }]);
      if (confirmed === null) return await this.#preview(change, false);
      const [expect = '', edits] = confirmed.split(' ');
      // Edits depend on the configuration below the file, too.
      const isReviewed = edits === (await tagOfEdits(change));
      return isReviewed ? await this.#apply(change, expect) : await this.#preview(change, true);
    } catch (error) {
      if (!(error instanceof Problem) || !isCorrectable(error)) throw error;
      const page = await this.#options.invalid(error);
      respondWith(this.#context.event, error);
      return page;
    }
  }

  async #apply(change: Change | Restoration, expect: string): Promise<PageResult> {
    const { redirect, actor } = this.#context;
    try {
      const preconditions = { expect, ifMatch: this.#options.ifMatch };
      const { revision, warnings, restart } = await this.#changes.apply(change, actor, preconditions);
      const more = [
        ...(warnings.length > MAX_WARNINGS
          ? [`${warnings.length} new warnings: see the overview.`]
          : warnings),
        ...(restart.length > 0 ? [`Requires a restart: ${restart.join(', ')}.`] : []),
      ];
      await this.#saved([`${change.summary}.`.replace(/\.+$/, '.'), ...more].join(' '), revision.number);
      return redirect(this.#options.done);
    } catch (error) {
      if (!isEditConflict(error)) throw error;
      // If another part of the file has changed, the new difference needs to be confirmed.
      return await this.#preview(change, true);
    }
  }

  async #preview(change: Change | Restoration, again: boolean): Promise<PageResult> {
    const { actor } = this.#context;
    try {
      const preview = await this.#changes.preview(change, actor, { ifMatch: this.#options.ifMatch });
      return await this.#difference({ ...preview, tag: `${preview.tag} ${await tagOfEdits(change)}` }, again);
    } catch (error) {
      if (!isEditConflict(error)) throw error;
      return await this.#conflict(change);
    }
  }

  async #difference(preview: Preview, again: boolean): Promise<PageResult> {
    const variables = {
      ...preview,
      warningGroups: groupWarnings(preview.warnings),
      again,
      action: this.#action,
      fields: this.#submittedFields,
      back: this.#options.done,
      canEdit: this.#options.canEdit,
    };
    return await this.#context.showReview('difference', variables, again ? PRECONDITION_FAILED : 200);
  }

  /** Shows the concurrent changes next to the submitted one. */
  async #conflict(change: Change | Restoration): Promise<PageResult> {
    const { showReview, actor, event, query } = this.#context;
    const preview = await this.#changes.preview(change, actor);
    // A restoration is about the whole file.
    const subject = 'subject' in change ? change.subject : [];
    const { text, tag } = await this.#changes.inFiles(subject);
    const all = await this.#changes.revisions();
    // If what its author has seen is still loaded, a file was edited: maybe another one than `local.json`.
    const isLoaded = 'subject' in change && (await this.#changes.tag(subject)) === this.#options.ifMatch;
    const isByHand = isLoaded || isEditedByHand(all, subject, text);
    const theirs = isByHand ? [] : editConflict(all, subject, this.#options.ifMatch);
    const revisions = [];
    for (const { number, at, by, summary, before, after } of theirs) {
      const difference = await this.#changes.texts.difference(before, after);
      revisions.push({ number, at, by, summary, difference });
    }
    const variables = {
      mine: preview,
      revisions,
      action: this.#action,
      // Who decides to keep the change has seen the other one.
      fields: [...this.#submittedFields.filter(([name]) => name !== TAG), [TAG, tag]],
      // The same page of a list, with its filter.
      again: `${event.request.path}${query.size === 0 ? '' : `?${query.toString()}`}`,
      back: this.#options.done,
    };
    return await showReview('conflict', variables, PRECONDITION_FAILED);
  }

  get #action(): string {
    return this.#context.event.request.target;
  }

  /** To be submitted again. */
  get #submittedFields(): readonly (readonly [name: string, value: string])[] {
    const internal: readonly string[] = Object.values(INTERNAL_FIELDS);
    return [...this.#context.form].filter(([name]) => !internal.includes(name));
  }
}

/** A restoration has none: it depends on the file only. */
async function tagOfEdits(change: Change | Restoration): Promise<string> {
  const edits =
    'edits' in change
      ? change.edits.map(({ path, value }) => (value === undefined ? [path] : [path, value]))
      : [];
  return await runCooperatively(tagSteps(edits));
}

function isEditConflict(error: unknown): boolean {
  return error instanceof Problem && error.status === PRECONDITION_FAILED;
}
