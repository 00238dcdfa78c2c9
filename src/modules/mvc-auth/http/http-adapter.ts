import { resolve } from 'node:path';
import type {
  AuthenticationAdapter,
  AuthenticationAttempt,
  AuthenticationRequest,
  AuthenticationResult,
} from '../adapter';
import { openBasic } from './basic/open-basic';
import { credentialsOf, schemeOf } from './credentials';
import type { NonceClaims } from './digest/nonce-counts';
import { openDigest } from './digest/open-digest';
import { inTheNameOf } from './auth-configuration-error';
import { openGroups, type OpenGroups } from './open-groups';
import { checkOptions, type HttpAdapterOptions } from './http-adapter-options';
import { REFUSED, type AuthenticationScheme, type OpenScheme } from './scheme';

export type { HttpAdapterOptions } from './http-adapter-options';

/** What an adapter needs that outlives it, or that it must not take for itself. */
export interface HttpAdapterContext {
  /** The project root, to which password files are relative. */
  readonly root: string;
  /** The key of the deployment; at least 32 random octets. */
  readonly nonceKey: Buffer;
  /** The nonce counts of the deployment. */
  readonly counts: NonceClaims;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** Told what happens to password files while the service runs. */
  readonly warn: (message: string) => void;
}

/**
 * Builds the adapter `HttpAdapter` of the specification (2.7 and 5.3): Basic, Digest, or both, over password
 * files and perhaps a group file, which are read now and watched until `dispose()`.
 *
 * Rejects with AuthConfigurationError when an option is wrong or a file can't be used. `authenticate` rejects
 * with HashingOverloadError when too many passwords wait, and with the error of `counts.claim` when it fails;
 * both are for a 503.
 *
 * @example
 * const adapter = await openHttpAdapter(
 *   'digest_auth',
 *   { accept_schemes: ['digest'], realm: 'api', htdigest: 'data/htdigest', digest_domains: '', nonce_timeout: '3600' },
 *   { root: process.cwd(), nonceKey: randomBytes(32), counts: new NonceCounts(), warn: console.warn },
 * );
 */
export async function openHttpAdapter(
  name: string,
  options: HttpAdapterOptions,
  context: HttpAdapterContext,
): Promise<AuthenticationAdapter> {
  const { realm, basic, digest, groupFile } = checkOptions(name, options);
  const clock = context.clock ?? Date.now;
  const { nonceKey, counts, warn } = context;
  const open: OpenScheme[] = [];
  let groups: OpenGroups | undefined;
  try {
    if (digest) {
      const path = resolve(context.root, digest.file);
      const { domain, nonceTimeout, qop } = digest;
      open.push(
        await openDigest({
          adapter: name,
          realm,
          path,
          domain,
          qop,
          nonceTimeout,
          nonceKey,
          counts,
          clock,
          warn,
        }),
      );
    }
    if (basic) {
      const path = resolve(context.root, basic.file);
      open.push(await openBasic({ adapter: name, realm, path, weak: basic.weak, clock, warn }));
    }
    if (groupFile !== undefined) {
      groups = await openGroups({ adapter: name, path: resolve(context.root, groupFile), warn });
    }
  } catch (error) {
    for (const opened of open) opened.close();
    throw error;
  }
  return new HttpAdapter(name, open, groups);
}

/** A scheme with its name in lower case. */
interface Spoken {
  readonly scheme: AuthenticationScheme;
  readonly lowerCase: string;
}

/** Several schemes behind one name, and the groups of their users. */
class HttpAdapter implements AuthenticationAdapter {
  readonly name: string;
  readonly schemes: readonly string[];
  readonly warnings: readonly string[];
  readonly #open: readonly OpenScheme[];
  readonly #spoken: readonly Spoken[];
  readonly #groups: OpenGroups | undefined;

  constructor(name: string, open: readonly OpenScheme[], groups: OpenGroups | undefined) {
    this.name = name;
    this.#open = open;
    this.#spoken = open.map(({ scheme }) => ({ scheme, lowerCase: scheme.name.toLowerCase() }));
    this.#groups = groups;
    this.schemes = open.map(({ scheme }) => scheme.name);
    this.warnings = [...open, ...(groups === undefined ? [] : [groups])]
      .flatMap(({ warnings }) => warnings)
      .map((warning) => inTheNameOf(name, warning));
  }

  takes(scheme: string): boolean {
    return this.#named(scheme) !== undefined;
  }

  #named(named: string): Spoken | undefined {
    for (const spoken of this.#spoken)
      if (spoken.scheme.name === named || spoken.lowerCase === named.toLowerCase()) return spoken;
    return undefined;
  }

  authenticate(request: AuthenticationRequest): AuthenticationResult | Promise<AuthenticationResult> {
    return this.attempt(request)?.verify() ?? REFUSED;
  }

  attempt(request: AuthenticationRequest): AuthenticationAttempt | undefined {
    const { authorization } = request;
    const field = authorization[0];
    if (field === undefined || authorization.length > 1) return undefined;
    const spoken = this.#named(schemeOf(field));
    const attempt = spoken && (spoken.scheme.recall?.(field) ?? read(spoken, field, request));
    const groups = this.#groups;
    if (attempt === undefined || groups === undefined) return attempt;
    return { ...attempt, verify: () => withGroups(attempt.verify(), groups) };
  }

  challenges(stale: boolean): readonly string[] {
    return this.#open.flatMap(({ scheme }) => scheme.challenges(stale));
  }

  dispose(): void {
    for (const opened of this.#open) opened.close();
    this.#groups?.close();
  }
}

function read(
  { scheme, lowerCase }: Spoken,
  field: string,
  request: AuthenticationRequest,
): AuthenticationAttempt | undefined {
  const credentials = credentialsOf(lowerCase, field);
  return credentials && scheme.attempt(credentials, request);
}

function withGroups(
  result: AuthenticationResult | Promise<AuthenticationResult>,
  groups: OpenGroups,
): AuthenticationResult | Promise<AuthenticationResult> {
  if (result instanceof Promise) return result.then((settled) => withGroups(settled, groups));
  return result.outcome === 'authenticated' ? { ...result, groups: groups.of(result.username) } : result;
}
