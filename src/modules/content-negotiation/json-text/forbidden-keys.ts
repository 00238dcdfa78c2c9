import { closingQuote, formatPointer } from '../../../framework';

/** A member with this name would change the prototype of an object when it is copied. */
export const PROTOTYPE = '__proto__';

/** A member that makes a JSON text invalid here. */
export interface ForbiddenKey {
  /** JSON Pointer (RFC 6901) to the member. */
  readonly pointer: string;
  readonly name: string;
  readonly kind: 'duplicate' | 'prototype';
}

/** Follows a member name. */
const COLON = /[ \t\r\n]*:/y;

/** An object or array that is not closed yet. */
interface Open {
  readonly pointer: string;
  /** The member names so far; undefined for an array. */
  readonly names: Set<string> | undefined;
  /** Name or index of the next value. */
  at: string | number;
}

/**
 * Finds the first duplicate member name, or a member named `__proto__`, in a well-formed JSON text. Scans character
 * by character, so call it only for texts that are known to contain one.
 */
export function findForbiddenKey(text: string): ForbiddenKey | undefined {
  const open: Open[] = [];
  for (let at = 0; at < text.length; at++) {
    const current = open.at(-1);
    switch (text[at]) {
      case '{':
        open.push({ pointer: pointerIn(current), names: new Set(), at: '' });
        break;
      case '[':
        open.push({ pointer: pointerIn(current), names: undefined, at: 0 });
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        if (typeof current?.at === 'number') current.at++;
        break;
      case '"': {
        const start = at;
        at = closingQuote(text, start);
        COLON.lastIndex = at + 1;
        if (current?.names === undefined || !COLON.test(text)) break;
        const name = String(JSON.parse(text.slice(start, at + 1)));
        current.at = name;
        const kind = name === PROTOTYPE ? 'prototype' : current.names.has(name) ? 'duplicate' : undefined;
        if (kind !== undefined) return { pointer: pointerIn(current), name, kind };
        current.names.add(name);
      }
    }
  }
  return undefined;
}

function pointerIn(open: Open | undefined): string {
  return open === undefined ? '' : open.pointer + formatPointer([open.at]);
}
