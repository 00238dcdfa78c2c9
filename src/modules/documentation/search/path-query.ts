/** A query for a path, optionally with a method: `POST /repos/{owner}/{repo}/issues`, `repos/octocat`. */
export interface PathQuery {
  /** In upper case. */
  readonly method?: string;
  readonly segments: readonly string[];
  /** Whether segments may be values of parameters: only in paths that begin with a slash. */
  readonly isRooted: boolean;
}

/** How a path matches; lower is better, in the order of the members. */
type Rank = readonly [values: number, furtherSegments: number, offset: number];

const METHOD_AND_PATH = /^(?:([a-z]+)\s+)?([^\s?#]*\/[^\s?#]*)(?:[?#]\S*)?$/i;

const PARAMETER = /^(?::|\{.*\}$|<.*>$)/;

/**
 * Parses a query for a path; undefined for other queries. Absolute URLs are queries for their path.
 *
 * @example
 * pathQueryOf('get /users/{username}'); // { method: 'GET', segments: ['users', '{username}'], isRooted: true }
 */
export function pathQueryOf(query: string): PathQuery | undefined {
  const [, method, written = ''] = METHOD_AND_PATH.exec(query.trim()) ?? [];
  const path = written.replace(/^https?:\/\/[^/]*/i, '');
  const segments = segmentsOf(path);
  if (segments.length === 0) return undefined;
  const isRooted = path.startsWith('/');
  return method === undefined ? { segments, isRooted } : { method: method.toUpperCase(), segments, isRooted };
}

export function segmentsOf(path: string): readonly string[] {
  return path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '');
}

/**
 * Returns how well a path matches, at its best position; undefined if it does not. The last segment of the query may be a
 * beginning.
 *
 * @param path segments of the path, parameters as `:name`
 */
export function matchPath({ segments, isRooted }: PathQuery, path: readonly string[]): Rank | undefined {
  let best: Rank | undefined;
  for (let offset = 0; offset + segments.length <= path.length; offset += 1) {
    const values = valuesAt(segments, path, offset, isRooted);
    if (values === undefined) continue;
    const rank: Rank = [values, path.length - offset - segments.length, offset];
    if (best === undefined || compareRanks(rank, best) < 0) best = rank;
  }
  return best;
}

export function compareRanks(a: Rank, b: Rank): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** Returns the number of segments that are values of parameters. */
function valuesAt(
  segments: readonly string[],
  path: readonly string[],
  offset: number,
  isRooted: boolean,
): number | undefined {
  let values = 0;
  for (const [at, segment] of segments.entries()) {
    const part = path[offset + at] ?? '';
    if (PARAMETER.test(segment)) {
      if (!part.startsWith(':')) return undefined;
    } else if (part.startsWith(':')) {
      // The first segment is literal, otherwise every path with a parameter would match.
      if (!isRooted || at === 0) return undefined;
      values += 1;
    } else if (part !== segment && (at < segments.length - 1 || !part.startsWith(segment))) return undefined;
    else if (part !== segment) values += 0.5;
  }
  return values;
}
