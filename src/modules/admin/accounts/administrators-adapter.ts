import { Type } from '@sinclair/typebox';
import path from 'node:path';
import { lazily, problem, type ConfigObject, type Problem } from '../../../framework';
import {
  BasicScheme,
  MVC_AUTH_KEY,
  type PasswordHashing,
  parseCredentials,
  type AdapterContext,
  type AdapterFactory,
  type AuthenticationAdapter,
  type AuthenticationAttempt,
  type KnownUser,
  type AuthenticationRequest,
  type AuthenticationResult,
  type OpenAdapter,
  type RequestOrigin,
} from '../../mvc-auth';
import { ADMIN_KEY, adminSettings } from '../settings';
import { AdminAccess } from '../access/admin-access';
import { Administrators } from './administrators';
import { ADMINISTRATORS_REALM } from './sign-in';

/** The adapter kind that authenticates administrators. */
export const ADMINISTRATORS_ADAPTER = 'AdministratorsAdapter';

/** Returns the default configuration of an API that administrators sign in to. */
export function administratorsAdapterDefaults(api: string): ConfigObject {
  return {
    [MVC_AUTH_KEY]: {
      authentication: {
        adapters: { administrators: { adapter: ADMINISTRATORS_ADAPTER, options: {} } },
        map: { [api]: 'administrators' },
      },
    },
  };
}

/**
 * Creates adapters that verify Basic credentials against the file in `platform-admin.administrators`. If the file does
 * not exist, all credentials are rejected.
 */
export class AdministratorsAdapterFactory implements AdapterFactory {
  readonly settings = Type.Object({}, { additionalProperties: false });
  readonly #hashing: PasswordHashing;

  constructor(hashing: PasswordHashing) {
    this.#hashing = hashing;
  }

  open(name: string, _options: unknown, { root, configuration }: AdapterContext): Promise<OpenAdapter> {
    const settings = configuration.section(ADMIN_KEY, adminSettings);
    const file = path.resolve(root, settings.administrators);
    // The module reports invalid settings on bootstrap, with their source.
    const access = lazily(() => new AdminAccess(configuration));
    return Promise.resolve({
      adapter: new AdministratorsAdapter(name, new Administrators(file, { hashing: this.#hashing }), {
        access,
        requiresSecondFactor: settings.require_second_factor,
      }),
      description: { name, realm: ADMINISTRATORS_REALM, schemes: ['basic'] },
    });
  }
}

/** Verifies Basic credentials; reloads the file on each request if it has changed. */
export class AdministratorsAdapter implements AuthenticationAdapter {
  readonly name: string;
  readonly schemes = ['Basic'];
  readonly warnings: readonly string[] = [];
  readonly #administrators: Administrators;
  readonly #access: () => AdminAccess;
  readonly #requiresSecondFactor: boolean;
  readonly #basic: BasicScheme;

  constructor(
    name: string,
    administrators: Administrators,
    {
      access,
      requiresSecondFactor,
    }: { readonly access: () => AdminAccess; readonly requiresSecondFactor: boolean },
  ) {
    this.name = name;
    this.#administrators = administrators;
    this.#access = access;
    this.#requiresSecondFactor = requiresSecondFactor;
    this.#basic = new BasicScheme(ADMINISTRATORS_REALM, administrators.verifier);
  }

  takes(scheme: string): boolean {
    return scheme.toLowerCase() === 'basic';
  }

  async authenticate(request: AuthenticationRequest): Promise<AuthenticationResult> {
    return (await this.attempt(request)?.verify()) ?? { outcome: 'refused', stale: false };
  }

  attempt(request: AuthenticationRequest): AuthenticationAttempt | undefined {
    const [field, second] = request.authorization;
    const credentials = field === undefined || second !== undefined ? undefined : parseCredentials(field);
    const attempt = credentials?.scheme === 'basic' ? this.#basic.attempt(credentials, request) : undefined;
    if (attempt === undefined) return undefined;
    const verify = async (): Promise<AuthenticationResult> => {
      await this.#administrators.names();
      const result = await attempt.verify();
      if (result.outcome !== 'authenticated') return result;
      // Basic has no second factor.
      const isRequired = this.#requiresSecondFactor;
      if (isRequired || (await this.#administrators.secondFactorOf(result.username)) !== undefined)
        throw problem('second_factor_required', {});
      return { ...result, groups: [await this.#administrators.roleOf(result.username)] };
    };
    return { ...attempt, verify };
  }

  async lookUp(name: string): Promise<KnownUser | undefined> {
    if (!(await this.#administrators.names()).includes(name)) return undefined;
    return { username: name, groups: [await this.#administrators.roleOf(name)], scopes: [] };
  }

  /** Applies the network and host restrictions of the admin pages. */
  refusal(origin: RequestOrigin): Problem | undefined {
    return this.#access().refusal(origin);
  }

  challenges(): readonly string[] {
    return this.#basic.challenges();
  }

  dispose(): void {
    // The file is not watched.
  }
}
