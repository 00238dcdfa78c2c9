import { parseMediaType, problem, type Request } from '../../../framework';

const MAX_FORM_BYTES = 64 * 1024;

const FORM = 'application/x-www-form-urlencoded';

/** Parses the body of a form. @throws Problem 415 for another media type, 413 above 64 KiB, 400 for invalid UTF-8 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.header('content-type') ?? '';
  const media = parseMediaType(type);
  if (media === undefined || `${media.type}/${media.subtype}` !== FORM) {
    throw problem('unsupported_media_type', { type, supported: [FORM] });
  }
  const bytes = await request.read(MAX_FORM_BYTES);
  try {
    return new URLSearchParams(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw problem('bad_body', { reason: 'it is not valid UTF-8.' }, { cause: error });
  }
}
