import { parseMediaType, problem } from '../../framework';

const FORM = 'application/x-www-form-urlencoded';

/** A member of this name would change the object's prototype when it is copied. */
const PROTOTYPE = '__proto__';
const PROTOTYPE_REFUSED = `a member must not be named "${PROTOTYPE}"`;

/**
 * Text that may hold the key `__proto__`, perhaps with letters escaped. Looking for it costs a pass over the text,
 * the reviver many times that: so the reviver runs on suspicion only.
 */
const SUSPICIOUS = /__proto__|\\u00/;

/**
 * Makes a value of a request body.
 * @param contentType one that the endpoint takes
 * @throws Problem 400 for text that is not UTF-8 or not of its type, 415 for another charset
 */
export function parseBody(bytes: Buffer, contentType: string): unknown {
  if (bytes.length === 0) return undefined;
  const media = parseMediaType(contentType);
  const charset = media?.parameters.get('charset')?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw problem('unsupported_media_type', { type: contentType, supported: ['text in UTF-8'] });
  }
  const text = decode(bytes);
  return media !== undefined && `${media.type}/${media.subtype}` === FORM ? parseForm(text) : parseJson(text);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw problem('bad_body', { reason: 'it is not UTF-8.' }, { cause: error });
  }
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text, SUSPICIOUS.test(text) ? refusePrototype : undefined);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw problem('bad_json', { reason: `${reason}.` }, { cause: error });
  }
}

function refusePrototype(key: string, value: unknown): unknown {
  if (key === PROTOTYPE) throw new SyntaxError(PROTOTYPE_REFUSED);
  return value;
}

/** A name that comes more than once holds a list. */
function parseForm(text: string): Record<string, string | string[]> {
  const form = new URLSearchParams(text);
  if (form.has(PROTOTYPE)) throw problem('bad_body', { reason: `${PROTOTYPE_REFUSED}.` });
  return Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}
