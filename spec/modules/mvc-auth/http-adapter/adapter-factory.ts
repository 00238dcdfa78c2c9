import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Deployment } from '../../../../src/framework';
import type { AuthenticationAdapter } from '../../../../src/modules/mvc-auth/adapters/adapter';
import type {
  AuthenticationRequest,
  AuthenticationResult,
} from '../../../../src/modules/mvc-auth/http/authentication';
import {
  openHttpAdapter,
  type HttpAdapterContext,
  type HttpAdapterOptions,
} from '../../../../src/modules/mvc-auth/http-adapter/http-adapter';

/** A project folder for a test, with what an adapter needs; `close` removes everything. */
export interface TestProject {
  readonly root: string;
  readonly warned: string[];
  write(file: string, text: string): Promise<void>;
  open(
    options: Partial<HttpAdapterOptions>,
    context?: Partial<HttpAdapterContext>,
  ): Promise<AuthenticationAdapter>;
  close(): Promise<void>;
}

export async function testProject(): Promise<TestProject> {
  const root = await mkdtemp(join(tmpdir(), 'mvc-auth-'));
  const adapters: AuthenticationAdapter[] = [];
  const warned: string[] = [];
  return {
    root,
    warned,
    write: (file, text) => writeFile(join(root, file), text),
    open: async (options, context) => {
      const adapter = await openHttpAdapter(
        'guard',
        { accept_schemes: ['digest'], realm: 'api', htdigest: 'htdigest', nonce_timeout: '3600', ...options },
        {
          root,
          deployment: new Deployment(),
          warn: (message) => warned.push(message),
          ...context,
        },
      );
      adapters.push(adapter);
      return adapter;
    },
    close: async () => {
      for (const adapter of adapters) await adapter.dispose();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Authenticates a request with these `Authorization` headers. */
export async function ask(
  adapter: AuthenticationAdapter,
  authorization: string | readonly string[],
  request: Partial<AuthenticationRequest> = {},
): Promise<AuthenticationResult> {
  return adapter.authenticate({
    method: 'GET',
    target: '/',
    address: '127.0.0.1',
    authorization: typeof authorization === 'string' ? [authorization] : authorization,
    ...request,
  });
}

/** Waits until a condition holds, or fails. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  milliseconds = 15_000,
): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('it did not come to be so in time');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
