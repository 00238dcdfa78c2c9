import { StartError } from '../../framework';

/** Which scripts of other sites may call an API from a browser (Fetch, 3.2, "CORS protocol"). */
export interface CorsDefinition {
  /** Origins as browsers write them, `https://shop.example`; `https://*.shop.example` for all below; `*` for any. */
  readonly origins: readonly string[];
  /** Methods; those that the address has, unless told. */
  readonly methods?: readonly string[];
  /** Fields that requests may have, beside those that are always allowed. */
  readonly headers?: readonly string[];
  /** Whether browsers send what they know of the user, such as credentials of Basic or Digest. */
  readonly credentials?: boolean;
  /** Seconds that a browser may remember a preflight; 600 unless told. */
  readonly max_age?: number;
  /** Fields of answers that scripts may read. */
  readonly expose?: readonly string[];
}

type Field = readonly [name: string, value: string];

const HEADERS = ['Authorization', 'Content-Type', 'If-Match', 'If-None-Match', 'X-Request-Id', 'traceparent'];
const EXPOSED = ['ETag', 'Link', 'Location', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'];
const MAX_AGE = 600;

/** A field's name (RFC 9110, 5.1), or a method. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** What is decided about requests from other origins. Origins are compared with those that are declared, never sent back as they come. */
export class CorsPolicy {
  /** Whether answers depend on the origin. */
  readonly varies: boolean;
  readonly #definition: CorsDefinition;
  readonly #origins: ReadonlySet<string>;
  /** What the origins of wildcards begin and end with. */
  readonly #below: readonly (readonly [scheme: string, domain: string])[];

  /**
   * @param api names the API, for messages
   * @throws StartError for what is no origin, field or method, and for `*` with credentials
   */
  constructor(definition: CorsDefinition, api: string) {
    const { origins, credentials = false, headers = [], methods = [], expose = [] } = definition;
    for (const origin of origins) assertOrigin(origin, api);
    const odd = [...headers, ...methods, ...expose].find((name) => !TOKEN.test(name));
    if (odd !== undefined)
      throw new StartError(`The API ${api}: cors has "${odd}", which is no name of a field or method.`);
    const any = origins.includes('*');
    if (any && credentials) {
      throw new StartError(
        `The API ${api}: cors lets every origin ("*") in with credentials, so that any site could act as its visitor. List the origins, or leave out credentials.`,
      );
    }
    this.varies = !any;
    this.#definition = definition;
    this.#origins = new Set(origins.map((origin) => origin.toLowerCase()));
    this.#below = origins.filter((origin) => origin.includes('://*.')).map(splitWildcard);
  }

  /** The fields of an answer to a request from an origin; none for one that is not let in. */
  fields(origin: string | undefined): readonly Field[] {
    const { expose = [] } = this.#definition;
    const allowed = this.#allowed(origin);
    if (allowed.length === 0) return [];
    return [...allowed, ['Access-Control-Expose-Headers', unique([...EXPOSED, ...expose])]];
  }

  /**
   * The fields of the answer to a preflight.
   * @param allow the methods that the address has
   * @returns undefined for an origin that is not let in
   */
  preflight(origin: string, allow: string): readonly Field[] | undefined {
    const { methods, headers = [], max_age: maxAge = MAX_AGE } = this.#definition;
    const allowed = this.#allowed(origin);
    if (allowed.length === 0) return undefined;
    return [
      ...allowed,
      ['Access-Control-Allow-Methods', methods === undefined ? allow : methods.join(', ')],
      ['Access-Control-Allow-Headers', unique([...HEADERS, ...headers])],
      ['Access-Control-Max-Age', String(maxAge)],
    ];
  }

  #allowed(origin: string | undefined): readonly Field[] {
    if (origin === undefined) return [];
    if (!this.varies) return [['Access-Control-Allow-Origin', '*']];
    if (!this.#isListed(origin.toLowerCase())) return [];
    const credentials: readonly Field[] =
      this.#definition.credentials === true ? [['Access-Control-Allow-Credentials', 'true']] : [];
    return [['Access-Control-Allow-Origin', origin], ...credentials];
  }

  #isListed(origin: string): boolean {
    if (this.#origins.has(origin)) return true;
    return this.#below.some(
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

function assertOrigin(origin: string, api: string): void {
  if (origin === '*' || isOrigin(origin.replace('://*.', '://any.'))) return;
  throw new StartError(
    `The API ${api}: cors lists "${origin}", which is no origin. Write scheme, host, and a port that is not the usual one: "https://shop.example", "http://localhost:3000".`,
  );
}

/** Whether a browser would write it so (RFC 6454, 6.2). */
function isOrigin(origin: string): boolean {
  if (origin.includes('*') || !URL.canParse(origin)) return false;
  const url = new URL(origin);
  return origin.toLowerCase() === `${url.protocol}//${url.host}`;
}

function unique(names: readonly string[]): string {
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].join(', ');
}
