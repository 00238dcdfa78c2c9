import { parseMediaType, problem } from '../../framework';

const FORM = 'application/x-www-form-urlencoded';

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
    // Looking for the key costs a pass over the text, the reviver many times that: so it runs on suspicion only.
    return JSON.parse(text, text.includes('__proto__') ? refusePrototype : undefined);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw problem('bad_json', { reason: `${reason}.` }, { cause: error });
  }
}

/** A member of this name would change the object's prototype when it is copied. */
function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('a member must not be named "__proto__"');
  return value;
}

/** A name that comes more than once holds a list. */
function parseForm(text: string): Record<string, string | string[]> {
  const form = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}
