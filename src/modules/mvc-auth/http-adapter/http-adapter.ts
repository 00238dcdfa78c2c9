import { steadyNow, type Deployment, type Services } from '../../../framework';
import type { AuthenticationAdapter, KnownUser } from '../adapters/adapter';
import {
  REFUSED,
  type AuthenticationAttempt,
  type AuthenticationRequest,
  type AuthenticationResult,
  type AuthenticationScheme,
} from '../http/authentication';
import type { OpenScheme } from './open-basic';
import { PasswordHashing } from '../passwords/password-hashing';
import type { GroupSource } from '../http/credential-source';
import { parseCredentialsOf, schemeOf } from '../http/credentials';
import { withAdapterName } from './auth-configuration-error';
import type { OpenGroups } from './open-groups';
import { openSchemes } from './open-schemes';
import { parseOptions } from './checked-options';
import type { HttpAdapterOptions } from './options';

export type { HttpAdapterOptions } from './options';

/** State of the deployment, and settings that are not options. */
export interface HttpAdapterContext {
  /** The project root, to which the paths of password files are relative. */
  readonly root: string;
  /** Its keys sign nonces, its state counts their uses. */
  readonly deployment: Deployment;
  /** Defaults to a queue of its own. */
  readonly hashing?: PasswordHashing;
  /** Milliseconds since the epoch; defaults to the clock of the deployment for nonces, and to `steadyNow`. */
  readonly clock?: () => number;
  /** Receives warnings about the source of users while the service runs. */
  readonly warn: (message: string) => void;
  /** The services of the application: required for `users` and `source`. */
  readonly services?: Services;
}

/**
 * Opens the adapter `HttpAdapter` (specification, 2.7 and 5.3): Basic, Digest, or both, over password files and an
 * optional group file, which are watched until `dispose()`, over a database table, or over a service of a module.
 *
 * Rejects with AuthConfigurationError for an invalid option, an unusable file, and a table or column that does not exist.
 * `authenticate` rejects with HashingOverloadError when too many verifications are pending, with AuthenticationUnavailable
 * when the users cannot be read, and with the error of the deployment's state; all mean 503.
 *
 * @example
 * const adapter = await openHttpAdapter(
 *   'digest_auth',
 *   { accept_schemes: ['digest'], realm: 'api', htdigest: 'data/htdigest', digest_domains: '', nonce_timeout: '3600' },
 *   { root: process.cwd(), deployment: new Deployment(), warn: console.warn },
 * );
 */
export async function openHttpAdapter(
  name: string,
  options: HttpAdapterOptions,
  context: HttpAdapterContext,
): Promise<AuthenticationAdapter> {
  const { deployment, clock, hashing = new PasswordHashing() } = context;
  const { schemes, groups } = await openSchemes(name, parseOptions(name, options), {
    ...context,
    hashing,
    basicClock: clock ?? steadyNow,
    digestClock: clock ?? (() => deployment.state.now()),
  });
  return new HttpAdapter(name, schemes, groups);
}

interface NamedScheme {
  readonly scheme: AuthenticationScheme;
  readonly lowerCase: string;
}

/** Combines schemes, and adds the groups of users. */
class HttpAdapter implements AuthenticationAdapter {
  readonly name: string;
  readonly schemes: readonly string[];
  readonly warnings: readonly string[];
  readonly #open: readonly OpenScheme[];
  readonly #schemes: readonly NamedScheme[];
  readonly #groups: OpenGroups | undefined;

  constructor(name: string, open: readonly OpenScheme[], groups: OpenGroups | undefined) {
    this.name = name;
    this.#open = open;
    this.#schemes = open.map(({ scheme }) => ({ scheme, lowerCase: scheme.name.toLowerCase() }));
    this.#groups = groups;
    this.schemes = open.map(({ scheme }) => scheme.name);
    this.warnings = [...open, ...(groups === undefined ? [] : [groups])]
      .flatMap(({ warnings }) => warnings)
      .map((warning) => withAdapterName(name, warning));
  }

  takes(scheme: string): boolean {
    return this.#find(scheme) !== undefined;
  }

  #find(name: string): NamedScheme | undefined {
    for (const named of this.#schemes)
      if (named.scheme.name === name || named.lowerCase === name.toLowerCase()) return named;
    return undefined;
  }

  authenticate(request: AuthenticationRequest): AuthenticationResult | Promise<AuthenticationResult> {
    return this.attempt(request)?.verify() ?? REFUSED;
  }

  attempt(request: AuthenticationRequest): AuthenticationAttempt | undefined {
    const { authorization } = request;
    const field = authorization[0];
    if (field === undefined || authorization.length > 1) return undefined;
    const named = this.#find(schemeOf(field));
    const attempt = named && (named.scheme.recall?.(field) ?? parseAttempt(named, field, request));
    const groups = this.#groups;
    if (attempt === undefined || groups === undefined) return attempt;
    return { ...attempt, verify: () => withGroups(attempt.verify(), groups) };
  }

  /** A service that only verifies passwords tells the groups of any name. */
  async lookUp(username: string): Promise<KnownUser | undefined> {
    const checks = this.#open.flatMap(({ has }) => (has === undefined ? [] : [has]));
    const known = await Promise.all(checks.map(async (has) => has(username)));
    if (known.length > 0 && !known.includes(true)) return undefined;
    return { username, groups: (await this.#groups?.groupsOf(username)) ?? [], scopes: [] };
  }

  challenges(stale: boolean): readonly string[] {
    return this.#open.flatMap(({ scheme }) => scheme.challenges(stale));
  }

  dispose(): void {
    for (const opened of this.#open) opened.close();
    this.#groups?.close();
  }
}

function parseAttempt(
  { scheme, lowerCase }: NamedScheme,
  field: string,
  request: AuthenticationRequest,
): AuthenticationAttempt | undefined {
  const credentials = parseCredentialsOf(lowerCase, field);
  return credentials && scheme.attempt(credentials, request);
}

function withGroups(
  result: AuthenticationResult | Promise<AuthenticationResult>,
  groups: GroupSource,
): AuthenticationResult | Promise<AuthenticationResult> {
  if (result instanceof Promise) return result.then((settled) => withGroups(settled, groups));
  if (result.outcome !== 'authenticated') return result;
  const found = groups.groupsOf(result.username);
  return found instanceof Promise
    ? found.then((names) => ({ ...result, groups: names }))
    : { ...result, groups: found };
}
