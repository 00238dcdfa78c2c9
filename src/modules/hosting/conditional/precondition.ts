import { problem, type Problem, type Request } from '../../../framework';
import { entityTag, revisionTags, type EntityTag, type Revision } from './revision';

/** Revisions listed by a client; `*` means any. */
export type NamedRevisions = '*' | readonly string[];

/**
 * The preconditions of a request (RFC 9110, 13). The platform compares them with the result of `fetch` before it
 * calls the resource. A resource whose data has other writers compares again inside its own transaction.
 *
 * @example
 * update(id, data, { precondition }) {
 *   return this.#database.transaction(() => {
 *     const row = this.#database.find(id);
 *     precondition.assert(row?.revision);
 *     return this.#database.write(id, data);
 *   });
 * }
 */
export interface Precondition {
  /** The revisions of `If-Match`, without weak ones, which never match; undefined without the field. */
  readonly ifMatch: NamedRevisions | undefined;
  /** The revisions of `If-None-Match`; undefined without the field. */
  readonly ifNoneMatch: NamedRevisions | undefined;
  /**
   * Compares with the current state.
   * @param revision undefined if the entity does not exist
   * @throws Problem 412
   */
  assert(revision: Revision): void;
}

/** The current state of a resource; `tag` is undefined if it has no revision. */
export interface CurrentState {
  readonly exists: boolean;
  readonly tag: EntityTag | undefined;
}

type Tags = ReturnType<typeof revisionTags>;

/** The preconditions of a request that changes something. */
export class WritePrecondition implements Precondition {
  readonly #subject: string;
  readonly #match: Tags;
  readonly #noneMatch: Tags;

  /**
   * @param subject what would change, for messages: `Product "lamp"`
   * @throws Problem 400 for an unparsable field: ignoring it could overwrite data
   */
  constructor(request: Request, subject: string) {
    this.#subject = subject;
    this.#match = tagsOf(request, 'If-Match');
    this.#noneMatch = tagsOf(request, 'If-None-Match');
  }

  get ifMatch(): NamedRevisions | undefined {
    return revisionsOf(strongOnly(this.#match));
  }

  get ifNoneMatch(): NamedRevisions | undefined {
    return revisionsOf(this.#noneMatch);
  }

  assert(revision: Revision): void {
    this.assertState({ exists: revision !== undefined, tag: entityTag(revision, '') });
  }

  /** In the order of RFC 9110, 13.2.2. @throws Problem 412 */
  assertState(current: CurrentState): void {
    if (this.#match !== undefined && !isMatch(this.#match, current)) throw this.#failed(current);
    if (this.#noneMatch !== undefined && isListed(this.#noneMatch, current)) {
      const reason = `${this.#subject} already exists in a state that If-None-Match excludes.`;
      throw problem('precondition_failed', { reason });
    }
  }

  #failed({ exists, tag }: CurrentState): Problem {
    if (!exists) {
      return problem('precondition_failed', {
        reason: `${this.#subject} does not exist, so If-Match cannot match.`,
      });
    }
    if (tag !== undefined) return problem('changed_meanwhile', { what: this.#subject });
    return withoutTag(this.#subject);
  }
}

/** The 412 for an `If-Match` with tags. @param subject what has no tag: `Product "lamp"` */
export function withoutTag(subject: string): Problem {
  return problem('precondition_failed', {
    reason: `${subject} has no entity tag, so If-Match cannot match.`,
  });
}

/** Whether `If-Match` holds: strong comparison (RFC 9110, 13.1.1). */
export function isMatch(expected: '*' | readonly EntityTag[], { exists, tag }: CurrentState): boolean {
  if (!exists) return false;
  if (expected === '*') return true;
  return expected.some(({ weak, revision }) => !weak && tag?.weak === false && revision === tag.revision);
}

/** Whether `If-None-Match` names the current state: weak comparison (13.1.2). */
function isListed(expected: '*' | readonly EntityTag[], { exists, tag }: CurrentState): boolean {
  if (!exists) return false;
  return expected === '*' || expected.some(({ revision }) => revision === tag?.revision);
}

function tagsOf(request: Request, name: 'If-Match' | 'If-None-Match'): Tags {
  const field = request.header(name.toLowerCase());
  if (field === undefined) return undefined;
  const tags = revisionTags(field);
  if (tags !== undefined) return tags;
  throw problem('bad_request', {
    reason: `${name} must be "*" or entity tags in quotes, as ETag has them, e.g. "7"; it is ${field}.`,
  });
}

function strongOnly(tags: Tags): Tags {
  return typeof tags === 'object' ? tags.filter(({ weak }) => !weak) : tags;
}

function revisionsOf(tags: Tags): NamedRevisions | undefined {
  return typeof tags === 'object' ? tags.map(({ revision }) => revision) : tags;
}
