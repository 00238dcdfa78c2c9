/** Response header fields, kept in the flat list of names and values that `writeHead` takes. */
export class Fields {
  readonly #list: string[] = [];

  get(name: string): string | undefined {
    const at = this.#find(name, 0);
    return at < 0 ? undefined : this.#list[at + 1];
  }

  has(name: string): boolean {
    return this.#find(name, 0) >= 0;
  }

  /** Sets a field to one value, whatever lines it had. */
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

  /** Adds a field line beside those there are, as `WWW-Authenticate` and `Set-Cookie` need. */
  append(name: string, value: string): void {
    this.#list.push(name, value);
  }

  /** Adds a member to a field that holds a list, e.g. `Vary`, unless it is there. */
  addToList(name: string, member: string): void {
    const at = this.#find(name, 0);
    const present = this.#list[at + 1];
    if (at < 0 || present === undefined) this.#list.push(name, member);
    else if (!hasMember(present, member)) this.set(name, `${present}, ${member}`);
  }

  delete(name: string): void {
    for (let at = this.#find(name, 0); at >= 0; at = this.#find(name, at)) this.#list.splice(at, 2);
  }

  /** Name, value, name, value, … */
  toList(): string[] {
    return this.#list;
  }

  /** Names differ in length nearly always: they are brought to one letter case only where they do not. */
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

/** Whether a list has a member, in whatever letter case. */
function hasMember(list: string, member: string): boolean {
  if (list.length < member.length) return false;
  const wanted = member.toLowerCase();
  return list.split(',').some((one) => one.trim().toLowerCase() === wanted);
}

/**
 * Every line of a field, as received: Node's joined view hides all but the first of some, and its view by lines is
 * made for all fields at once, which costs more than looking for one.
 *
 * @param raw names and values in turn
 * @param name in lower case
 */
export function headerLines(raw: readonly string[], name: string): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    if (isName(raw[at], name)) lines.push(raw[at + 1] ?? '');
  }
  return lines;
}

/** Letter case does not matter (RFC 9110, 5.1); most names differ in length already. */
function isName(given: string | undefined, name: string): boolean {
  return given?.length === name.length && given.toLowerCase() === name;
}
