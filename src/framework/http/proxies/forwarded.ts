import { isIP } from 'node:net';

/** One element of `Forwarded`: what one proxy says about the request it received (RFC 7239, 4). */
export interface ForwardedElement {
  /** The parameters, with names in lower case and values without quotes: `for`, `by`, `host`, `proto` and others. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** `forwarded-pair` with what follows it: `;` and another pair, `,` and another element, or the end. */
const PAIR =
  /[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)|"((?:[\t\x20\x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t\x20-\x7e\x80-\xff])*)")[ \t]*(;|,|$)/y;

/** Empty elements, which a recipient must accept (RFC 9110, 5.6.1). */
const EMPTY_ELEMENTS = /(?:[ \t]*,)*[ \t]*/y;

/**
 * Parses one line of `Forwarded`. The first element is that of the proxy nearest to the client.
 * @returns undefined for a malformed line, and for an element with a repeated parameter (RFC 7239, 4)
 *
 * @example
 * parseForwarded('for="[2001:db8::7]:4711";proto=https, for=10.0.0.1'); // two elements
 */
export function parseForwarded(line: string): readonly ForwardedElement[] | undefined {
  const elements: ForwardedElement[] = [];
  let parameters = new Map<string, string>();
  let at = skipEmpty(line, 0);
  let last = ',';
  while (at < line.length || last === ';') {
    PAIR.lastIndex = at;
    const [text = '', name = '', token, quoted = '', separator = ''] = PAIR.exec(line) ?? [];
    if (text === '') return undefined;
    const key = name.toLowerCase();
    if (parameters.has(key)) return undefined;
    parameters.set(key, token ?? quoted.replace(/\\(.)/g, '$1'));
    at += text.length;
    last = separator;
    if (separator === ';') continue;
    elements.push({ parameters });
    parameters = new Map();
    if (separator === ',') at = skipEmpty(line, at);
  }
  return elements;
}

function skipEmpty(line: string, from: number): number {
  EMPTY_ELEMENTS.lastIndex = from;
  return from + (EMPTY_ELEMENTS.exec(line)?.[0].length ?? 0);
}

/** `node` (RFC 7239, 6) with an optional port, which may be obfuscated; IPv6 addresses are in brackets. */
const NODE = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(?:\d{1,5}|_[A-Za-z0-9._-]+))?$/;

/**
 * Returns the address of a node as in `Forwarded` or `X-Forwarded-For`: `192.0.2.7`, `192.0.2.7:4711`,
 * `[2001:db8::7]:4711`, and `2001:db8::7`, which only the latter allows.
 * @returns undefined for `unknown`, for obfuscated identifiers such as `_hidden`, and for malformed ones
 */
export function addressOfNode(node: string): string | undefined {
  if (isIP(node) !== 0) return node;
  const [, v6, v4] = NODE.exec(node) ?? [];
  if (v6 !== undefined) return isIP(v6) === 6 ? v6 : undefined;
  return v4 !== undefined && isIP(v4) === 4 ? v4 : undefined;
}
