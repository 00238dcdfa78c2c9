import { ConfigurationError, TOKEN } from '../../../framework';

/** Cross-origin access to an API from browsers (Fetch standard, 3.2, "CORS protocol"). */
export interface CorsDefinition {
  /** Allowed origins: `https://shop.example`, `https://*.shop.example` for all subdomains, `*` for any. */
  readonly origins: readonly string[];
  /** Allowed methods; defaults to those of the requested path. */
  readonly methods?: readonly string[];
  /** Additional allowed request headers. */
  readonly headers?: readonly string[];
  /** Whether browsers may send credentials, such as those of Basic or Digest. */
  readonly credentials?: boolean;
  /** Seconds for which browsers may cache a preflight; defaults to 600. */
  readonly max_age?: number;
  /** Additional response headers that scripts may read. */
  readonly expose?: readonly string[];
}

type Field = readonly [name: string, value: string];

const HEADERS = ['Authorization', 'Content-Type', 'If-Match', 'If-None-Match', 'X-Request-Id', 'traceparent'];
const EXPOSED = [
  'Deprecation',
  'ETag',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
];
const MAX_AGE = 600;

/** The CORS decisions for an API. Origins are compared with the declared ones, never reflected unchecked. */
export class CorsPolicy {
  /** Whether responses depend on the origin. */
  readonly varies: boolean;
  readonly #definition: CorsDefinition;
  readonly #origins: ReadonlySet<string>;
  /** The parts of wildcard origins around the `*`. */
  readonly #wildcards: readonly (readonly [scheme: string, domain: string])[];

  /**
   * @param where returns the API or its place in a file, for messages
   * @throws ConfigurationError for an invalid origin, header or method name, and for `*` with credentials
   */
  constructor(definition: CorsDefinition, where: () => string) {
    const { origins, credentials = false, headers = [], methods = [], expose = [] } = definition;
    for (const origin of origins) assertOrigin(origin, where);
    const invalid = [...headers, ...methods, ...expose].find((name) => !TOKEN.test(name));
    if (invalid !== undefined)
      throw new ConfigurationError(
        `${where()}: cors has "${invalid}", which is not a valid header or method name.`,
      );
    const any = origins.includes('*');
    if (any && credentials) {
      throw new ConfigurationError(
        `${where()}: cors allows every origin ("*") with credentials, so any site could act as its visitors. List the origins, or omit credentials.`,
      );
    }
    this.varies = !any;
    this.#definition = definition;
    this.#origins = new Set(origins.map((origin) => origin.toLowerCase()));
    this.#wildcards = origins.filter((origin) => origin.includes('://*.')).map(splitWildcard);
  }

  /** Whether pages of an origin may call the API. */
  allows(origin: string): boolean {
    return this.#allowed(origin).length > 0;
  }

  /** Returns the CORS headers of a response; none for an origin that is not allowed, or without one if some are not. */
  fields(origin: string | undefined): readonly Field[] {
    const { expose = [] } = this.#definition;
    const allowed = this.#allowed(origin);
    if (allowed.length === 0) return [];
    return [...allowed, ['Access-Control-Expose-Headers', unique([...EXPOSED, ...expose])]];
  }

  /**
   * Returns the CORS headers of a preflight response.
   * @param allow methods of the requested path
   * @param credentials header fields besides `Authorization` that carry credentials
   * @returns undefined for an origin that is not allowed
   */
  preflight(
    origin: string,
    allow: string,
    credentials: readonly string[] = [],
  ): readonly Field[] | undefined {
    const { methods, headers = [], max_age: maxAge = MAX_AGE } = this.#definition;
    const allowed = this.#allowed(origin);
    if (allowed.length === 0) return undefined;
    return [
      ...allowed,
      ['Access-Control-Allow-Methods', methods === undefined ? allow : methods.join(', ')],
      ['Access-Control-Allow-Headers', unique([...HEADERS, ...credentials, ...headers])],
      ['Access-Control-Max-Age', String(maxAge)],
    ];
  }

  #allowed(origin: string | undefined): readonly Field[] {
    // Also without an origin: a cache may give the response to a page of another site (Fetch, "CORS protocol and HTTP caches").
    if (!this.varies) return [['Access-Control-Allow-Origin', '*']];
    if (origin === undefined) return [];
    if (!this.#isListed(origin.toLowerCase())) return [];
    const credentials: readonly Field[] =
      this.#definition.credentials === true ? [['Access-Control-Allow-Credentials', 'true']] : [];
    return [['Access-Control-Allow-Origin', origin], ...credentials];
  }

  #isListed(origin: string): boolean {
    if (this.#origins.has(origin)) return true;
    return this.#wildcards.some(
      ([scheme, domain]) =>
        origin.startsWith(scheme) &&
        origin.endsWith(domain) &&
        /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(origin.slice(scheme.length, -domain.length)),
    );
  }
}

function splitWildcard(origin: string): readonly [scheme: string, domain: string] {
  const [scheme = '', domain = ''] = origin.toLowerCase().split('*');
  return [scheme, domain];
}

function assertOrigin(origin: string, where: () => string): void {
  if (origin === '*' || isOrigin(origin.replace('://*.', '://any.'))) return;
  throw new ConfigurationError(
    `${where()}: cors lists "${origin}", which is not an origin. Write scheme, host, and port unless it is the default: "https://shop.example", "http://localhost:3000".`,
  );
}

/** Whether browsers serialize the origin this way (RFC 6454, 6.2). */
function isOrigin(origin: string): boolean {
  if (origin.includes('*') || !URL.canParse(origin)) return false;
  const url = new URL(origin);
  return origin.toLowerCase() === `${url.protocol}//${url.host}`;
}

function unique(names: readonly string[]): string {
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].join(', ');
}
