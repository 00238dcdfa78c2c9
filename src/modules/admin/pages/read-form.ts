import { parseMediaType, problem, type Request } from '../../../framework';

/** The largest form that is taken, in bytes. */
const MAX_FORM_BYTES = 64 * 1024;

const FORM = 'application/x-www-form-urlencoded';

/** Reads what a form sent. @throws Problem 415 for another type, 413 beyond {@link MAX_FORM_BYTES}, 400 for no UTF-8 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.header('content-type') ?? '';
  const media = parseMediaType(type);
  if (media === undefined || `${media.type}/${media.subtype}` !== FORM) {
    throw problem('unsupported_media_type', { type: type === '' ? 'none' : type, supported: [FORM] });
  }
  const bytes = await request.read(MAX_FORM_BYTES);
  try {
    return new URLSearchParams(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw problem('bad_body', { reason: 'it is not UTF-8.' }, { cause: error });
  }
}
