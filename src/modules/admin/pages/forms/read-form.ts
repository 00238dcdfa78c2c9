import { parseMediaType, Problem, problem, type Request } from '../../../../framework';
import { contentTypeOf, decodeUtf8, parseFormText } from '../../../content-negotiation';
import type { AdminPage } from '../admin-page';
import { INTERNAL_FIELDS } from './proposal';

/** The maximum length of forms in bytes. */
export const FORM_LIMITS = {
  default: 64 * 1024,
  /** Of a page with texts, or with a row per member. A character has up to 12 bytes, percent-encoded. */
  long: 1024 * 1024,
  /** Of such a page, if the session has expired. */
  expired: 256 * 1024,
} as const;

/** Of the fields that the pages themselves add, which are not counted: a change could be reviewed, but not saved. */
const MAX_INTERNAL = 512;
const INTERNAL: readonly string[] = Object.values(INTERNAL_FIELDS);

const FORM = 'application/x-www-form-urlencoded';

/** Line breaks, also percent-encoded: browsers submit all of them as CR LF. */
const LINE_BREAKS = /(?:%0D|\r)(?:%0A|\n)?/gi;

/** Parses the body of a form of a page. @throws as {@link readForm} does */
export async function readPageForm(
  request: Request,
  { hasLongForm }: Pick<AdminPage, 'hasLongForm'>,
): Promise<URLSearchParams> {
  return await readForm(request, hasLongForm === true ? FORM_LIMITS.long : undefined);
}

/**
 * Parses the body of a form. Line breaks are LF, as in the configuration.
 * @param limit in bytes
 * @throws Problem 415 for another media type, 413 above the limit, 400 for invalid UTF-8 and several Content-Type lines
 */
export async function readForm(
  request: Request,
  limit: number = FORM_LIMITS.default,
): Promise<URLSearchParams> {
  const type = contentTypeOf(request);
  const media = parseMediaType(type);
  if (media === undefined || `${media.type}/${media.subtype}` !== FORM) {
    throw problem('unsupported_media_type', { type, supported: [FORM] });
  }
  const body = await request.read(limit + MAX_INTERNAL).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 413 ? problem('content_too_large', { limit }) : error;
  });
  const form = parseFormText(decodeUtf8(body).replace(LINE_BREAKS, '%0A'));
  const internal = new URLSearchParams([...form].filter(([name]) => INTERNAL.includes(name)));
  if (body.length - internal.toString().length > limit) throw problem('content_too_large', { limit });
  return form;
}
