import { parseEntityTags, percentDecoded } from '../../../framework';

/**
 * Identifies a state of an entity: a counter, a hash, a timestamp. The entity tag is built from it (RFC 9110,
 * 8.8.3). A weak revision denotes equivalent rather than identical states; it works for `If-None-Match` and never
 * matches `If-Match`. Undefined: the entity has no revision.
 */
export type Revision =
  | string
  | number
  | {
      readonly tag: string | number;
      readonly weak: boolean;
      /**
       * Distinguishes representations of the same state: `If-Match` accepts any of them, and a 304 needs the same one.
       * Letters, digits, `-` and `_`.
       */
      readonly variant?: string;
    }
  | undefined;

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

export function entityTag(revision: Revision, variant: string): EntityTag | undefined {
  if (revision === undefined) return undefined;
  if (typeof revision === 'object') {
    const variants = [revision.variant ?? '', variant].filter((one) => one !== '');
    return { revision: String(revision.tag), weak: revision.weak, variant: variants.join('-') };
  }
  return { revision: String(revision), weak: false, variant };
}

/** Formats a tag for a header field. */
export function formatEntityTag({ revision, weak, variant }: EntityTag): string {
  const opaque = revision.replace(ESCAPED, (sign) => escape(sign));
  return `${weak ? 'W/' : ''}"${opaque}${variant === '' ? '' : VARIANT + variant}"`;
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

function escape(sign: string): string {
  return [...Buffer.from(sign)]
    .map((octet) => `%${octet.toString(16).padStart(2, '0').toUpperCase()}`)
    .join('');
}

/** A tag that another service created may not be escaped. */
function unescape(text: string): string {
  return percentDecoded(text) ?? text;
}
