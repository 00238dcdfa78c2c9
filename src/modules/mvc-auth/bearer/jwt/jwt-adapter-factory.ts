import path from 'node:path';
import type { AdapterContext, AdapterFactory, OpenAdapter } from '../../adapters/adapter-factory';
import type { AuthenticationResult } from '../../http/authentication';
import { AuthConfigurationError } from '../../http-adapter/auth-configuration-error';
import { openJwksFile } from '../keys/jwks-file';
import { JwksUrl } from '../keys/jwks-url';
import type { KnownKeySets } from '../keys/known-key-sets';
import type { KeySource } from '../keys/key-source';
import { claimNamesOf } from '../shared-settings';
import { tokenEndpointIssue, tokenSchemes } from '../token-endpoints';
import { CredentialCache } from '../../credential-cache';
import { JWT_ALGORITHMS } from './algorithms';
import { JwtAdapter } from './jwt-adapter';
import { isUrl, jwtAdapterSettings, jwtOptionIssue, type JwtAdapterOptions } from './options';

/** Opens adapters of the kind `JwtAdapter`. */
export class JwtAdapterFactory implements AdapterFactory {
  readonly settings = jwtAdapterSettings;
  readonly #known: KnownKeySets;

  /** @param known keeps the keys of issuers across reloads */
  constructor(known: KnownKeySets) {
    this.#known = known;
  }

  async open(name: string, options: JwtAdapterOptions, context: AdapterContext): Promise<OpenAdapter> {
    const issue = jwtOptionIssue(options) ?? tokenEndpointIssue(options);
    if (issue !== undefined) throw new AuthConfigurationError(name, issue);
    const { realm = name, algorithms, issuer, audience } = options;
    // The clock of the system: expiry is a point in time.
    const clock = Date.now;
    const verified = new CredentialCache<AuthenticationResult>(clock);
    const keys = await openKeys(name, options, context, this.#known, () => {
      verified.clear();
    });
    const adapter = new JwtAdapter({
      name,
      realm,
      keys,
      verified,
      clock,
      rules: {
        algorithms,
        issuer,
        audience,
        clockTolerance: Number(options.clock_tolerance ?? '5'),
        claims: claimNamesOf(options),
      },
    });
    const security = tokenSchemes(options, 'JWT');
    return { adapter, description: { name, realm, schemes: ['bearer'], security } };
  }
}

async function openKeys(
  adapter: string,
  { algorithms, jwks, secret }: JwtAdapterOptions,
  { root, warn }: AdapterContext,
  known: KnownKeySets,
  changed: () => void,
): Promise<KeySource> {
  if (jwks === undefined) return secretKey(secret ?? '');
  const types = [...new Set(algorithms.map((algorithm) => JWT_ALGORITHMS[algorithm].kty))];
  const options = { adapter, types, changed, warn };
  return isUrl(jwks)
    ? JwksUrl.open({ ...options, url: jwks, known })
    : openJwksFile({ ...options, path: path.resolve(root, jwks) });
}

function secretKey(secret: string): KeySource {
  const keys = [Buffer.from(secret, 'utf8')];
  return { keysFor: () => Promise.resolve(keys), warnings: [], close: () => undefined };
}
