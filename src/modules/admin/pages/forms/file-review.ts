import { Problem, type MaybePromise } from '../../../../framework';
import { invalid } from '../../changes/field-errors';
import type { FileChange } from '../../changes/file-change';
import { withoutSecrets } from '../../sessions/drafts';
import type { Reviews, SubmittedReview } from '../../sessions/reviews';
import type { FileReviewOptions, PageContext, PageResult } from '../admin-page';
import { shownAgain } from './form-errors';
import { INTERNAL_FIELDS } from './proposal';

const NOT_FOUND = 404;
const PRECONDITION_FAILED = 412;

/**
 * Handles a change of a password file submitted by a form: shows its review, then applies the confirmed change. The
 * password stays on the server, as a hash.
 */
export class FileReviewForm {
  readonly #context: PageContext;
  readonly #reviews: Reviews;
  readonly #options: FileReviewOptions;
  readonly #canEdit: boolean;
  /** Of another node, which is being confirmed. */
  readonly #reviewed: SubmittedReview | undefined;
  readonly #saved: () => Promise<void>;

  constructor(
    context: PageContext,
    reviews: Reviews,
    options: FileReviewOptions,
    {
      canEdit,
      reviewed,
      saved,
    }: {
      readonly canEdit: boolean;
      readonly reviewed: SubmittedReview | undefined;
      readonly saved: () => Promise<void>;
    },
  ) {
    this.#context = context;
    this.#reviews = reviews;
    this.#options = options;
    this.#canEdit = canEdit;
    this.#reviewed = reviewed;
    this.#saved = saved;
  }

  async respond(prepare: () => MaybePromise<FileChange>): Promise<PageResult> {
    const token = this.#context.form.get(INTERNAL_FIELDS.confirm);
    try {
      return token === null
        ? await this.#review(await prepare(), this.#context.form, false)
        : await this.#apply(token, prepare);
    } catch (error) {
      if (error instanceof Problem && error.status === NOT_FOUND) throw error;
      return await shownAgain(this.#context.event, error, this.#options.invalid);
    }
  }

  async #apply(token: string, prepare: () => MaybePromise<FileChange>): Promise<PageResult> {
    const review =
      this.#reviewed === undefined
        ? await this.#reviews.take(token, this.#place)
        : { ...this.#reviewed, change: await prepare() };
    if (review === undefined) {
      const message = this.#reviews.mayBeTaken(token, this.#place)
        ? 'This review was confirmed before, or has expired. See whether it was saved before you submit it again.'
        : 'The review has expired. Nothing was saved. Submit it again.';
      throw invalid([{ pointer: '', message }]);
    }
    try {
      await review.change.apply(review.tag, this.#context.event.request.id);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== PRECONDITION_FAILED) throw error;
      return await this.#review(review.change, review.fields, true);
    }
    await this.#saved();
    return await this.#options.done(review.change);
  }

  async #review(change: FileChange, submitted: URLSearchParams, again: boolean): Promise<PageResult> {
    const { difference, warnings, tag } = await change.review();
    if (difference.length === 0) throw invalid([{ pointer: '', message: 'No changes to save.' }]);
    const internal: readonly string[] = Object.values(INTERNAL_FIELDS);
    const { form, event, showReview } = this.#context;
    const variables = {
      difference,
      warnings,
      again,
      file: change.file,
      effect: this.#options.effect,
      token: await this.#reviews.keep(this.#place, { change, tag, fields: submitted }),
      action: event.request.target,
      fields: [...withoutSecrets(form)].filter(([name]) => !internal.includes(name)),
      back: this.#options.back,
      canEdit: this.#canEdit,
    };
    return await showReview('file-difference', variables, again ? PRECONDITION_FAILED : 200);
  }

  get #place(): { readonly session: string; readonly target: string } {
    const { session, event } = this.#context;
    return { session: session.id, target: event.request.target };
  }
}
