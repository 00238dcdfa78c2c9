import { problem, type Problem, type Request } from '../../framework';
import { entityTag, revisionTags, type EntityTag, type Revision } from './revision';

/** Revisions that a client names; `*` means any. */
export type NamedRevisions = '*' | readonly string[];

/**
 * What a request wants to be true before it changes anything (RFC 9110, 13). The platform has compared it with what
 * `fetch` returned before it calls the resource; one that keeps its entities where others write too compares again,
 * inside its own transaction.
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
  /** The revisions of `If-Match`, weak ones left out as they match nothing; undefined where there is no such field. */
  readonly ifMatch: NamedRevisions | undefined;
  /** The revisions of `If-None-Match`. */
  readonly ifNoneMatch: NamedRevisions | undefined;
  /**
   * Compares with the state there is now.
   * @param revision undefined where there is no such entity
   * @throws Problem 412
   */
  assert(revision: Revision): void;
}

/** What there is at an address; `tag` is undefined for what has no revision. */
export interface CurrentState {
  readonly exists: boolean;
  readonly tag: EntityTag | undefined;
}

type Tags = ReturnType<typeof revisionTags>;

/** The precondition of a request that would change something. */
export class WritePrecondition implements Precondition {
  readonly #what: string;
  readonly #match: Tags;
  readonly #noneMatch: Tags;

  /**
   * @param what names for messages what would change: `Product "lamp"`
   * @throws Problem 400 for a field that cannot be read: what it was to prevent must not happen
   */
  constructor(request: Request, what: string) {
    this.#what = what;
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
      const reason = `${this.#what} is there already, in a state that If-None-Match excludes.`;
      throw problem('precondition_failed', { reason });
    }
  }

  #failed({ exists, tag }: CurrentState): Problem {
    if (!exists) {
      return problem('precondition_failed', {
        reason: `${this.#what} does not exist, and If-Match is given.`,
      });
    }
    if (tag !== undefined) return problem('changed_meanwhile', { what: this.#what });
    return problem('precondition_failed', {
      reason: `${this.#what} has no entity tag, so that none in If-Match can be its own.`,
    });
  }
}

/** Whether an `If-Match` holds: the comparison is strong (RFC 9110, 13.1.1). */
export function isMatch(wanted: '*' | readonly EntityTag[], { exists, tag }: CurrentState): boolean {
  if (!exists) return false;
  if (wanted === '*') return true;
  return wanted.some(({ weak, revision }) => !weak && tag?.weak === false && revision === tag.revision);
}

/** Whether an `If-None-Match` names the state there is: the comparison is weak (13.1.2). */
function isListed(wanted: '*' | readonly EntityTag[], { exists, tag }: CurrentState): boolean {
  if (!exists) return false;
  return wanted === '*' || wanted.some(({ revision }) => revision === tag?.revision);
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
