import { formatPointer } from '../../framework';

/** A member of this name would change the object's prototype when it is copied. */
export const PROTOTYPE = '__proto__';

/** A member that a JSON text must not have. */
export interface ForbiddenKey {
  /** Where it stands, as a JSON Pointer (RFC 6901). */
  readonly pointer: string;
  readonly name: string;
  readonly kind: 'twice' | 'prototype';
}

/** A string, and whether it names a member. */
const STRING = /"((?:[^"\\]|\\.)*)"[ \t\r\n]*(:)?/y;

/** An object or a list that has begun. */
interface Open {
  readonly pointer: string;
  /** The names so far; undefined for a list. */
  readonly names: Set<string> | undefined;
  /** The name or the index of what comes next. */
  at: string | number;
}

/**
 * The first member of a well-formed JSON text whose name came before in the same object, or is `__proto__`. It reads
 * sign by sign: for texts of which is known that they have one.
 */
export function findForbiddenKey(text: string): ForbiddenKey | undefined {
  const open: Open[] = [];
  for (let at = 0; at < text.length; at++) {
    const current = open.at(-1);
    switch (text[at]) {
      case '{':
        open.push({ pointer: placeIn(current), names: new Set(), at: '' });
        break;
      case '[':
        open.push({ pointer: placeIn(current), names: undefined, at: 0 });
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        if (typeof current?.at === 'number') current.at++;
        break;
      case '"': {
        STRING.lastIndex = at;
        const [whole = '"', written = '', colon] = STRING.exec(text) ?? [];
        at += whole.length - 1;
        if (current?.names === undefined || colon === undefined) break;
        const name = String(JSON.parse(`"${written}"`));
        current.at = name;
        const kind = name === PROTOTYPE ? 'prototype' : current.names.has(name) ? 'twice' : undefined;
        if (kind !== undefined) return { pointer: placeIn(current), name, kind };
        current.names.add(name);
      }
    }
  }
  return undefined;
}

function placeIn(open: Open | undefined): string {
  return open === undefined ? '' : open.pointer + formatPointer([open.at]);
}
