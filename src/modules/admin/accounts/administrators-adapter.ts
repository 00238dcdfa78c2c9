import { Type } from '@sinclair/typebox';
import path from 'node:path';
import { lazily, type ConfigObject, type Problem } from '../../../framework';
import {
  BasicScheme,
  MVC_AUTH_KEY,
  type PasswordHashing,
  parseCredentials,
  type AdapterContext,
  type AdapterFactory,
  type AuthenticationAdapter,
  type AuthenticationAttempt,
  type AuthenticationRequest,
  type AuthenticationResult,
  type OpenAdapter,
  type RequestOrigin,
} from '../../mvc-auth';
import { ADMIN_KEY, adminSettings } from '../settings';
import { AdminAccess } from '../access/admin-access';
import { Administrators } from './administrators';
import { ADMINISTRATORS_REALM } from './sign-in';

/** The kind of adapter that signs administrators in. */
export const ADMINISTRATORS_ADAPTER = 'AdministratorsAdapter';

/** Has the administrators sign in to an API: defaults for the module that hosts it. */
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
 * Makes adapters of Basic over the administrators' file, which `platform-admin.administrators` names. The file may
 * be missing: everyone is refused then.
 */
export class AdministratorsAdapterFactory implements AdapterFactory {
  readonly settings = Type.Object({}, { additionalProperties: false });
  readonly #hashing: PasswordHashing;

  constructor(hashing: PasswordHashing) {
    this.#hashing = hashing;
  }

  open(name: string, _options: unknown, { root, configuration }: AdapterContext): Promise<OpenAdapter> {
    const { administrators } = configuration.section(ADMIN_KEY, adminSettings);
    const file = path.resolve(root, administrators);
    // Wrong settings are reported when the module bootstraps, with their own place.
    const access = lazily(() => new AdminAccess(configuration));
    return Promise.resolve({
      adapter: new AdministratorsAdapter(name, new Administrators(file, this.#hashing), access),
      description: { name, realm: ADMINISTRATORS_REALM, schemes: ['basic'] },
    });
  }
}

/** Basic, as the administrators' file has it at each request. */
class AdministratorsAdapter implements AuthenticationAdapter {
  readonly name: string;
  readonly schemes = ['Basic'];
  readonly warnings: readonly string[] = [];
  readonly #administrators: Administrators;
  readonly #access: () => AdminAccess;
  readonly #basic: BasicScheme;

  constructor(name: string, administrators: Administrators, access: () => AdminAccess) {
    this.name = name;
    this.#administrators = administrators;
    this.#access = access;
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
      return await attempt.verify();
    };
    return { ...attempt, verify };
  }

  /** The same places as the admin pages: administrators' passwords are not tried from elsewhere. */
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
