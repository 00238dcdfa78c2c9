import { describeValue, isObject, isThenable, parseEntityTags, percentDecoded } from '../../../framework';
import { toPlain } from '../../content-negotiation';

/**
 * Identifies a state of an entity: a counter, a hash, a time. The entity tag is built from it (RFC 9110,
 * 8.8.3). A weak revision denotes equivalent rather than identical states; it works for `If-None-Match` and never
 * matches `If-Match`. Undefined: the entity has no revision.
 */
export type Revision =
  | RevisionValue
  | {
      readonly tag: RevisionValue;
      readonly weak: boolean;
      /**
       * Distinguishes representations of the same state: `If-Match` accepts any of them, and a 304 needs the same one.
       * Letters, digits, `-` and `_`.
       */
      readonly variant?: string;
    }
  | undefined;

type RevisionValue = string | number | Date;

/** A parsed entity tag. */
export interface EntityTag {
  /** The revision as text. */
  readonly revision: string;
  readonly weak: boolean;
  /**
   * Distinguishes responses for the same revision: API versions and view models render it differently, so their
   * strong tags must differ. Empty for the default one.
   */
  readonly variant: string;
}

const VARIANT = ';';

/** Characters not allowed in entity tags, the variant separator, and commas, at which careless clients split. */
const ESCAPED = /[^\x21\x23\x24\x26-\x2b\x2d-\x3a\x3c-\x7e]/gu;

/** @throws TypeError for what only JavaScript returns, which has the same text for every state */
export function entityTag(revision: Revision, variant: string): EntityTag | undefined {
  if (revision === undefined) return undefined;
  if (!isDetailed(revision)) return { revision: textOf(revision), weak: false, variant: escaped(variant) };
  const variants = [revision.variant ?? '', variant].map(escaped).filter((one) => one !== '');
  return { revision: textOf(revision.tag), weak: revision.weak, variant: variants.join('-') };
}

function isDetailed(revision: Revision): revision is Exclude<Revision, RevisionValue | undefined> {
  return isObject(revision) && 'tag' in revision;
}

function textOf(value: unknown): string {
  // Times and ids are objects of many classes, which the response has as texts.
  const plain = typeof value === 'object' ? toPlain(value) : value;
  if (typeof plain === 'string' || typeof plain === 'bigint') return String(plain);
  if (typeof plain === 'number' && !Number.isNaN(plain)) return String(plain);
  const what = isThenable(value) ? 'a promise, but revision() is synchronous' : describeValue(value);
  throw new TypeError(
    `The revision of an entity or a collection is ${what}. Use a text, a number or a Date.`,
  );
}

/** Formats a tag for a header field. */
export function formatEntityTag({ revision, weak, variant }: EntityTag): string {
  return `${weak ? 'W/' : ''}"${escaped(revision)}${variant === '' ? '' : VARIANT + variant}"`;
}

/** Parses an `If-Match` or `If-None-Match` field. @returns `*` for any; undefined for a field that is neither */
export function revisionTags(field: string): '*' | readonly EntityTag[] | undefined {
  const tags = parseEntityTags(field);
  if (tags === undefined || tags === '*') return tags;
  return tags.map(({ opaque, weak }) => {
    const [revision = '', variant = ''] = opaque.split(VARIANT);
    return { revision: unescape(revision), weak, variant };
  });
}

/** @param text in JavaScript, a variant may be a number */
function escaped(text: string | number): string {
  return String(text).replace(ESCAPED, (sign) =>
    [...Buffer.from(sign)].map((octet) => `%${octet.toString(16).padStart(2, '0').toUpperCase()}`).join(''),
  );
}

/** A tag that another service created may not be escaped. */
function unescape(text: string): string {
  return percentDecoded(text) ?? text;
}
