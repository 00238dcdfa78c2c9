import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { ConfigObject } from '../../../src/framework';
import { freePort } from '../http/free-port';

const SCRIPT = path.join(__dirname, '..', '..', 'fixtures', 'openid-provider.mjs');

const CLIENT_ID = 'platform';
const CLIENT_SECRET = 'a secret with : and % and +';

/** The claims of the accounts of {@link OpenidTestProvider}, by name. */
const ACCOUNTS: Readonly<Record<string, object>> = {
  ada: { email: 'ada@example.com', groups: ['platform-admins', 'staff'] },
  vera: { groups: ['staff'] },
  nobody: { groups: ['visitors'] },
};

interface ProviderOptions {
  /** The origins of the platform, whose redirect URIs are registered. */
  readonly origins: readonly string[];
  /** Whether the client has no secret. */
  readonly isPublic?: boolean;
}

/** `oidc-provider` in a process of its own, on another site than the platform: `localhost` instead of 127.0.0.1. */
export class OpenidTestProvider {
  readonly issuer: string;
  readonly #port: number;
  #process: ChildProcess | undefined;

  private constructor(port: number) {
    this.#port = port;
    this.issuer = `http://localhost:${port}`;
  }

  /** Reserves the port: platforms are configured before the provider knows their redirect URIs. */
  static async create(): Promise<OpenidTestProvider> {
    return new OpenidTestProvider(await freePort());
  }

  /** The settings of the platform. */
  settings(others: ConfigObject = {}): ConfigObject {
    return {
      'platform-openid': {
        issuer: this.issuer,
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        label: 'Example login',
        admin: { roles: { 'platform-admins': 'administrator', staff: 'viewer' } },
        documentation: true,
        ...others,
      },
    };
  }

  async start({ origins, isPublic = false }: ProviderOptions): Promise<void> {
    const client = {
      client_id: CLIENT_ID,
      ...(isPublic ? { token_endpoint_auth_method: 'none' } : { client_secret: CLIENT_SECRET }),
      redirect_uris: origins.map((origin) => `${origin}/platform/sign-in/callback`),
    };
    const child = spawn(process.execPath, [SCRIPT], {
      env: {
        ...process.env,
        PORT: String(this.#port),
        CLIENTS: JSON.stringify([client]),
        ACCOUNTS: JSON.stringify(ACCOUNTS),
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#process = child;
    let log = '';
    child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
    const ended = once(child, 'exit').then(() => {
      throw new Error(`The OpenID provider did not start: ${log}`);
    });
    await Promise.race([once(child.stdout, 'data'), ended]);
    ended.catch(() => undefined);
  }

  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child?.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }
}
