import { parseMediaType, problem, type Request } from '../../../framework';
import { decodeUtf8, parseFormText } from '../../content-negotiation';

const MAX_FORM_BYTES = 64 * 1024;

const FORM = 'application/x-www-form-urlencoded';

/** Line breaks, also percent-encoded: browsers submit all of them as CR LF. */
const LINE_BREAKS = /(?:%0D|\r)(?:%0A|\n)?/gi;

/**
 * Parses the body of a form. Line breaks are LF, as in the configuration.
 * @throws Problem 415 for another media type, 413 above 64 KiB, 400 for invalid UTF-8
 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.header('content-type') ?? '';
  const media = parseMediaType(type);
  if (media === undefined || `${media.type}/${media.subtype}` !== FORM) {
    throw problem('unsupported_media_type', { type, supported: [FORM] });
  }
  return parseFormText(decodeUtf8(await request.read(MAX_FORM_BYTES)).replace(LINE_BREAKS, '%0A'));
}
