/**
 * Returns every path of a route, with and without its optional parts (in brackets), without the constraints of its
 * parameters. Shortest first. Brackets may be nested; an unclosed one extends to the end.
 *
 * @example
 * pathsOfRoute('/countries[/:country_code]'); // ['/countries', '/countries/:country_code']
 */
export function pathsOfRoute(route: string): readonly string[] {
  const paths = expand(route.replace(CONSTRAINED, '$1'), 0, false).paths;
  return [...new Set(paths)].sort((a, b) => a.length - b.length);
}

/** Constraints may have brackets, but not parentheses. */
const CONSTRAINED = /(:[A-Za-z_]\w*)\([^()]*\)/g;

/**
 * Returns the names of the parameters of a path, in order.
 *
 * @example
 * parametersOfPath('/distance/:from/:to'); // ['from', 'to']
 */
export function parametersOfPath(path: string): readonly string[] {
  return [...path.matchAll(/:([A-Za-z_]\w*)/g)].map((match) => match[1] ?? '');
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
    } else {
      at += 1;
      if (character === ']' && inside) break;
      if (character !== ']') paths = paths.map((path) => path + character);
    }
  }
  return { paths, end: at };
}
