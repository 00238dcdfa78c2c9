import type { ImportWarnings } from './import-warnings';
import type { PathConstraints } from './path-constraints';

/** Names that route parameters cannot have: that of the version, and one that sets the prototype of an object. */
const RESERVED: readonly string[] = ['version', '__proto__'];

/**
 * Parameters and literal text, which ends the name of a parameter before it. `.` and `..` are not valid segments
 * (RFC 3986, 5.2.4). Letters of all alphabets are valid in routes.
 */
const SEGMENT = /^(?!\.{1,2}$)(\{[^{}]+\}(?![\w{])|[\w.~!$&'+,;=@\p{L}\p{M}\p{N}-])*$/u;

/** The route for an OpenAPI path. */
export interface Route {
  readonly route: string;
  /** Names of the route's parameters by their names in the document. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Converts a path to a route: `/pets/{pet-id}` becomes `/pets/:pet_id`.
 * @param path decoded
 * @param pointer JSON Pointer of the path
 * @returns undefined if the path cannot be expressed as a route
 */
export function routeOf(
  path: string,
  pointer: string,
  warnings: ImportWarnings,
  constraints: PathConstraints,
): Route | undefined {
  const [before, ...segments] = path.split('/');
  const isPlain = segments.every(
    (segment, at) => SEGMENT.test(segment) && (segment !== '' || (at > 0 && at === segments.length - 1)),
  );
  if (before !== '' || !isPlain || path === '' || path === '/') {
    warnings.add('path cannot be expressed as a route', pointer);
    return undefined;
  }
  const names = new Map<string, string>();
  const route = path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const own = nameOf(name, [...names.values()]);
    if (own !== name) warnings.add(`parameter "${name}" renamed to "${own}"`, pointer);
    names.set(name, own);
    const constraint = constraints.get(name);
    return constraint === undefined ? `:${own}` : `:${own}(${constraint})`;
  });
  return { route, names };
}

/**
 * Decodes the text of a path around its parameters, as routes have it: `/l%C3%A4nder/{id}` becomes `/länder/{id}`.
 * Reserved characters stay encoded (RFC 3986, 2.2).
 */
export function decodedPath(path: string): string {
  return path.replace(/\{[^{}]*\}|[^{}]+/g, (part) => (part.startsWith('{') ? part : decoded(part)));
}

function decoded(text: string): string {
  try {
    // Decoded braces would be those of a parameter.
    return decodeURI(text.replace(/%(?=7[BD])/gi, '%25'));
  } catch {
    return text;
  }
}

function nameOf(name: string, taken: readonly string[]): string {
  let own = name.replace(/\W/g, '_').replace(/^(?=\d)/, '_');
  while (RESERVED.includes(own) || taken.includes(own)) own += '_';
  return own;
}
