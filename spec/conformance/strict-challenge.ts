/** A parameter of a challenge, with the notation that the sender chose. */
interface ChallengeParameter {
  /** As it was written. */
  readonly name: string;
  /** Without quotes and backslashes; one character per octet. */
  readonly value: string;
  readonly quoted: boolean;
}

/** A challenge (RFC 9110, 11.3). */
export interface StrictChallenge {
  readonly scheme: string;
  readonly token68: string | undefined;
  readonly parameters: readonly ChallengeParameter[];
}

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const QUOTED = '"((?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t \\x21-\\x7e\\x80-\\xff])*)"';
/** A sender generates no whitespace around `=` (RFC 9110, 5.6.3). */
const PARAMETER = new RegExp(`(${TOKEN})=(?:(${TOKEN})|${QUOTED})(?=[ \\t]*(?:,|$))`, 'y');
const SCHEME = new RegExp(`(${TOKEN})(?= |,|$)`, 'y');
const TOKEN68 = /([A-Za-z0-9\-._~+/]+=*)(?=[ \t]*(?:,|$))/y;
const SPACES = / +/y;
/** A sender generates no empty list elements (RFC 9110, 5.6.1.1). */
const COMMA = /[ \t]*,[ \t]*/y;

/**
 * Parses a `WWW-Authenticate` header as strictly as a sender has to generate it (RFC 9110, 11.6.1 with 5.6.1.1 and
 * 5.6.3): no empty elements, no whitespace around `=`, no parameter twice.
 *
 * @throws SyntaxError with the position of the violation
 */
export function parseChallenges(field: string): readonly StrictChallenge[] {
  const reader = new Reader(field);
  const challenges = [readChallenge(reader)];
  while (!reader.done) {
    reader.require(COMMA, 'a comma');
    challenges.push(readChallenge(reader));
  }
  return challenges;
}

function readChallenge(reader: Reader): StrictChallenge {
  const [, scheme = ''] = reader.require(SCHEME, 'a scheme');
  if (reader.take(SPACES) === undefined) return { scheme, token68: undefined, parameters: [] };
  // `a=` could begin either: only what is not a parameter is a token68.
  if (!reader.sees(PARAMETER)) {
    const [, token68] = reader.require(TOKEN68, 'a parameter or a token68');
    return { scheme, token68, parameters: [] };
  }
  return { scheme, token68: undefined, parameters: readParameters(reader) };
}

function readParameters(reader: Reader): readonly ChallengeParameter[] {
  const parameters = [readParameter(reader)];
  while (reader.sees(COMMA)) {
    const before = reader.position;
    reader.require(COMMA, 'a comma');
    if (!reader.sees(PARAMETER)) {
      // The next challenge of the list follows.
      reader.position = before;
      break;
    }
    parameters.push(readParameter(reader));
  }
  const names = parameters.map(({ name }) => name.toLowerCase());
  if (new Set(names).size < names.length) throw new SyntaxError(`Repeated parameter: ${names.join()}`);
  return parameters;
}

function readParameter(reader: Reader): ChallengeParameter {
  const [, name = '', token, quoted = ''] = reader.require(PARAMETER, 'a parameter');
  return token === undefined
    ? { name, value: quoted.replace(/\\(.)/gs, '$1'), quoted: true }
    : { name, value: token, quoted: false };
}

/** A position in a text, and the text after it. */
class Reader {
  readonly #text: string;
  position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get done(): boolean {
    return this.position === this.#text.length;
  }

  sees(pattern: RegExp): boolean {
    return this.#match(pattern) !== null;
  }

  take(pattern: RegExp): RegExpExecArray | undefined {
    const match = this.#match(pattern);
    if (match === null) return undefined;
    this.position += match[0].length;
    return match;
  }

  require(pattern: RegExp, what: string): RegExpExecArray {
    const match = this.take(pattern);
    if (match !== undefined) return match;
    throw new SyntaxError(`Expected ${what} at ${this.position} of ${JSON.stringify(this.#text)}.`);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    // A copy, since a sticky pattern stores its position.
    const from = new RegExp(pattern);
    from.lastIndex = this.position;
    return from.exec(this.#text);
  }
}
