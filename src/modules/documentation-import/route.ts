import type { Losses } from './losses';

/** The platform's own parameter, in front of every route. */
const RESERVED: readonly string[] = ['version'];

/** A parameter, or letters that are what they are; `.` and `..` are no segments of their own (RFC 3986, 5.2.4). */
const SEGMENT = /^(\{[^{}]+\}|(?!\.{1,2}$)[\w.~!$&'+,;=@-]*)$/;

/** A path of OpenAPI as a route, with the names that its parameters have there. */
export interface Route {
  readonly route: string;
  /** By name in the document. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * The route of a path: `/pets/{pet-id}` is `/pets/:pet_id`.
 * @param pointer where the path stands
 * @returns undefined for a path that no route can stand for
 */
export function routeOf(path: string, pointer: string, losses: Losses): Route | undefined {
  const [before, ...segments] = path.split('/');
  const isPlain = segments.every(
    (segment, at) => SEGMENT.test(segment) && (segment !== '' || (at > 0 && at === segments.length - 1)),
  );
  if (before !== '' || !isPlain || path === '' || path === '/') {
    losses.note('a path that no route can stand for', pointer);
    return undefined;
  }
  const names = new Map<string, string>();
  const route = path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const own = nameOf(name, [...names.values()]);
    if (own !== name) losses.note(`the name of the parameter "${name}" (it is "${own}")`, pointer);
    names.set(name, own);
    return `:${own}`;
  });
  return { route, names };
}

function nameOf(name: string, taken: readonly string[]): string {
  const safe = name.replace(/\W/g, '_').replace(/^(?=\d)/, '_');
  let own = RESERVED.includes(safe) ? `${safe}_` : safe;
  while (taken.includes(own)) own += '_';
  return own;
}
