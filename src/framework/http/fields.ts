import { Type, type TRecord, type TString } from '@sinclair/typebox';

/** A token (RFC 9110, 5.6.2): a method, the name of a field or of a cookie, a part of a media type. */
export const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** `uri-host [":" port]` of RFC 9110, 7.2, with the host that an http URI must have (4.2.1). */
export const HOST = /^(?:\[[\w.~!$&'()*+,;=:%-]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d*)?$/;

/** Response header fields, stored as the flat list of names and values that `writeHead` accepts. */
export class Fields {
  readonly #list: string[] = [];

  get(name: string): string | undefined {
    const at = this.#find(name, 0);
    return at < 0 ? undefined : this.#list[at + 1];
  }

  has(name: string): boolean {
    return this.#find(name, 0) >= 0;
  }

  /** Sets a field to one value, replacing all of its lines. */
  set(name: string, value: string): void {
    const at = this.#find(name, 0);
    if (at < 0) {
      this.#list.push(name, value);
      return;
    }
    this.#list[at + 1] = value;
    for (let more = this.#find(name, at + 2); more >= 0; more = this.#find(name, more)) {
      this.#list.splice(more, 2);
    }
  }

  /** Adds a field line and keeps existing ones, as `WWW-Authenticate` and `Set-Cookie` need. */
  append(name: string, value: string): void {
    this.#list.push(name, value);
  }

  /** Adds the lines of other fields. @param only the name of the lines; defaults to all */
  appendFrom(other: Fields, only?: string): void {
    for (let at = 0; at < other.#list.length; at += 2) {
      const [name = '', value = ''] = other.#list.slice(at, at + 2);
      if (only === undefined || name.toLowerCase() === only.toLowerCase()) this.append(name, value);
    }
  }

  /** Adds a member to a list field such as `Vary`, unless the list already contains it. */
  addToList(name: string, member: string): void {
    const first = this.#find(name, 0);
    if (first < 0) {
      this.#list.push(name, member);
      return;
    }
    for (let at = first; at >= 0; at = this.#find(name, at + 2))
      if (hasMember(this.#list[at + 1] ?? '', member)) return;
    this.#list[first + 1] = `${this.#list[first + 1] ?? ''}, ${member}`;
  }

  delete(name: string): void {
    const list = this.#list;
    // Moved one by one: `splice` would create a list of what it removes.
    for (let at = this.#find(name, 0); at >= 0; at = this.#find(name, at)) {
      for (let next = at + 2; next < list.length; next++) list[next - 2] = list[next] ?? '';
      list.pop();
      list.pop();
    }
  }

  /** Name, value, name, value, … */
  toList(): string[] {
    return this.#list;
  }

  /** Compares lengths first: different names nearly always differ in length, so lower-casing is rare. */
  #find(name: string, from: number): number {
    const list = this.#list;
    for (let at = from; at < list.length; at += 2) {
      const present = list[at] ?? '';
      if (present.length !== name.length) continue;
      if (present === name || present.toLowerCase() === name.toLowerCase()) return at;
    }
    return -1;
  }
}

/** Returns whether a list field contains a member, ignoring case. */
function hasMember(list: string, member: string): boolean {
  if (list.length < member.length) return false;
  // Nearly always the first of the list, if it is a member.
  if (list.startsWith(member) && (list.length === member.length || list[member.length] === ',')) return true;
  const lowerCase = member.toLowerCase();
  return list.split(',').some((one) => one.trim().toLowerCase() === lowerCase);
}

/**
 * Returns every line of a field, as received. Node's `headers` drops repeated lines of some fields, and its
 * `headersDistinct` parses all fields, which costs more than searching for one.
 *
 * @param raw alternating names and values
 * @param name in lower case
 */
export function headerLines(raw: readonly string[], name: string): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    if (isName(raw[at], name)) lines.push(raw[at + 1] ?? '');
  }
  return lines;
}

/** Field names are case-insensitive (RFC 9110, 5.1); comparing lengths first avoids most lower-casing. */
function isName(fieldName: string | undefined, name: string): boolean {
  return fieldName?.length === name.length && fieldName.toLowerCase() === name;
}

/** Returns the schema of a setting that maps the names of header fields to values. */
export function fieldsSchema(description: string): TRecord<TString, TString> {
  const value = Type.String({
    // Invalid characters would fail every response (RFC 9110, 5.5).
    pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$',
    hint: 'Write the value of a header field, in one line of printable characters.',
  });
  return Type.Record(Type.String(), value, { propertyNames: { pattern: TOKEN.source }, description });
}
