/**
 * Returns every path of a route, with and without its optional parts (in brackets), without the constraints of its
 * parameters, except where a word character follows: it would extend the name. Shortest first. Brackets may be nested; an unclosed one extends to the end.
 *
 * @example
 * pathsOfRoute('/countries[/:country_code]'); // ['/countries', '/countries/:country_code']
 */
export function pathsOfRoute(route: string): readonly string[] {
  const paths = expand(route, 0, false).paths.map((path) => path.replace(CONSTRAINED, '$1'));
  return [...new Set(paths)].sort((a, b) => a.length - b.length);
}

/** Constraints may have brackets, but not parentheses. */
const CONSTRAINED = /(:[A-Za-z_]\w*)\([^()]*\)(?!\w)/g;

/** A parameter of a path, with its constraint if it has one. */
const PARAMETER = /:([A-Za-z_]\w*)(?:\([^()]*\))?/g;

/**
 * Returns the names of the parameters of a path, in order.
 *
 * @example
 * parametersOfPath('/distance/:from/:to'); // ['from', 'to']
 */
export function parametersOfPath(path: string): readonly string[] {
  return [...path.matchAll(PARAMETER)].map((match) => match[1] ?? '');
}

/** Replaces the parameters of a path, which may be encoded. */
export function replaceParameters(path: string, replacement: (name: string) => string): string {
  return path.replace(PARAMETER, (_, name: string) => replacement(name));
}

interface Expansion {
  readonly paths: readonly string[];
  /** The index after the part and its bracket. */
  readonly end: number;
}

function expand(route: string, start: number, inside: boolean): Expansion {
  let paths: readonly string[] = [''];
  let at = start;
  while (at < route.length) {
    const character = route.charAt(at);
    if (character === '[') {
      const part = expand(route, at + 1, true);
      paths = paths.flatMap((path) => [path, ...part.paths.map((optional) => path + optional)]);
      at = part.end;
    } else if (character === ':') {
      // Brackets in a constraint are not optional parts.
      const parameter = /^:(?:[A-Za-z_]\w*(?:\([^()]*\))?)?/.exec(route.slice(at))?.[0] ?? character;
      paths = paths.map((path) => path + parameter);
      at += parameter.length;
    } else {
      at += 1;
      if (character === ']' && inside) break;
      if (character !== ']') paths = paths.map((path) => path + character);
    }
  }
  return { paths, end: at };
}
