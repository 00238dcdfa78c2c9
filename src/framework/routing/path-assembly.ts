import { ownValue } from '../values/own-members';
import type { PatternPart, RoutePattern } from './pattern';

/**
 * Builds a percent-encoded path from parameters. An optional part is included if its own parameters are present,
 * without those of nested optional parts.
 * @throws TypeError if a required parameter is missing
 */
export function assemble(
  pattern: RoutePattern,
  parameters: Readonly<Record<string, string | number>>,
): string {
  return assembleParts(pattern.parts, parameters, pattern.text, percentEncode);
}

/** A placeholder for the open parameter, which no encoded value contains. */
const PLACEHOLDER = '\0';

/**
 * Precomputes paths that differ in one parameter.
 * @param open the name of that parameter
 * @returns a function from its value to the path
 * @throws TypeError as {@link assemble} does
 */
export function assembler(
  pattern: RoutePattern,
  open: string,
  parameters: Readonly<Record<string, string | number>>,
): (value: string) => string {
  const path = assembleParts(pattern.parts, { ...parameters, [open]: '' }, pattern.text, (value, name) =>
    name === open ? PLACEHOLDER : percentEncode(value),
  );
  const [before = '', after] = path.split(PLACEHOLDER);
  return after === undefined ? () => before : (value) => before + percentEncode(value) + after;
}

/** Characters that need no encoding in any part of a path (RFC 3986, 2.3). */
const UNRESERVED = /^[\w.~-]*$/;

/** Testing is cheaper than encoding, and most values need none. */
function percentEncode(value: string | number): string {
  return typeof value === 'string' && UNRESERVED.test(value) ? value : encodeURIComponent(value);
}

function assembleParts(
  parts: readonly PatternPart[],
  parameters: Readonly<Record<string, string | number>>,
  text: string,
  encode: (value: string | number, name: string) => string,
): string {
  let path = '';
  for (const part of parts) {
    if (part.kind === 'literal') {
      path += part.encoded;
    } else if (part.kind === 'optional') {
      if (isIncluded(part, parameters)) path += assembleParts(part.parts, parameters, text, encode);
    } else {
      const value = ownValue(parameters, part.name);
      if (value === undefined)
        throw new TypeError(`The route "${text}" requires the parameter "${part.name}".`);
      path += encode(value, part.name);
    }
  }
  return path;
}

/**
 * Returns whether an optional part has its required parameters and at least one of any; literal text is always
 * included.
 */
function isIncluded(
  { required, names }: Extract<PatternPart, { kind: 'optional' }>,
  parameters: Readonly<Record<string, string | number>>,
): boolean {
  const isPresent = (name: string): boolean => ownValue(parameters, name) !== undefined;
  return required.every(isPresent) && (names.length === 0 || names.some(isPresent));
}
