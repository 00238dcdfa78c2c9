import { parseEntityTags } from '../../framework';

/**
 * What tells one state of an entity from another: a number that rises, a hash, a time. The platform makes the
 * entity tag of it (RFC 9110, 8.8.3). A weak one says that two states mean the same, not that they are the same to
 * the octet; it is good for `If-None-Match` and never satisfies `If-Match`. Undefined: this entity has none.
 */
export type Revision =
  string | number | { readonly tag: string | number; readonly weak: boolean } | undefined;

/** A revision as it stands in an entity tag. */
export interface EntityTag {
  /** The revision, as text. */
  readonly revision: string;
  readonly weak: boolean;
  /**
   * Which of several representations of that revision: versions of an API, and view models, show one state in
   * different octets, so that their strong tags must differ. Empty for the usual one.
   */
  readonly variant: string;
}

const VARIANT = ';';

/** Beside what no tag may hold: what separates the variant, and commas, at which careless clients split. */
const ESCAPED = /[^\x21\x23\x24\x26-\x2b\x2d-\x3a\x3c-\x7e]/gu;

export function entityTag(revision: Revision, variant: string): EntityTag | undefined {
  if (revision === undefined) return undefined;
  if (typeof revision === 'object') return { revision: String(revision.tag), weak: revision.weak, variant };
  return { revision: String(revision), weak: false, variant };
}

/** The tag as it stands in fields. */
export function formatEntityTag({ revision, weak, variant }: EntityTag): string {
  const opaque = revision.replace(ESCAPED, (sign) => escape(sign));
  return `${weak ? 'W/' : ''}"${opaque}${variant === '' ? '' : VARIANT + variant}"`;
}

/**
 * The revisions that an `If-Match` or `If-None-Match` field names.
 * @returns `*` for any; undefined for a field that is neither
 */
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

/** What was not made by this service may not be escaped at all. */
function unescape(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
