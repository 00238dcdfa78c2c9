import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AuthenticationAdapter } from '../../../../src/modules/mvc-auth/adapters/adapter';
import {
  DIGEST_ALGORITHMS,
  digestSecret,
} from '../../../../src/modules/mvc-auth/http/digest/digest-algorithm';
import { formatDigestLine } from '../../../../src/modules/mvc-auth/password-files/digest-table';
import { testProject, type TestProject } from './adapter-factory';
import { withPrograms } from '../../../factories/processes/programs';

const { describe } = withPrograms('curl');

const user = { username: 'Mufasa', realm: 'the pride, lands' };
const password = 'Circle: of "Life"';

/** A minimal server that guards everything with an adapter, on a real socket. */
async function guard(adapter: AuthenticationAdapter): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const { method = '', url = '', headersDistinct } = request;
    const authorization = headersDistinct.authorization ?? [];
    void (async () => {
      const result = await adapter.authenticate({ method, target: url, authorization, address: '' });
      if (result.outcome === 'authenticated') {
        response.writeHead(200, result.fields.flat()).end(`hello ${result.username}`);
      } else {
        response.writeHead(401, { 'WWW-Authenticate': [...adapter.challenges(result.stale)] }).end('no');
      }
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { server, url: `http://127.0.0.1:${port}` };
}

function curl(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('curl', ['--silent', '--noproxy', '*', '--include', ...args], {
      env: process.env,
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', () => resolve(output));
  });
}

describe('curl as an independent client', () => {
  let project: TestProject;
  let server: Server;
  let url: string;
  beforeAll(async () => {
    project = await testProject();
    const lines = DIGEST_ALGORITHMS.map((algorithm) =>
      formatDigestLine({
        ...user,
        algorithm,
        secret: digestSecret(algorithm, user.username, user.realm, password),
      }),
    );
    await project.write('htdigest', lines.join('\n'));
    await project.write('htpasswd', 'Mufasa:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=\n');
    const adapter = await project.open({
      accept_schemes: ['basic', 'digest'],
      allow_downgrade: true,
      htpasswd: 'htpasswd',
      realm: user.realm,
      digest_domains: '/',
    });
    ({ server, url } = await guard(adapter));
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await project.close();
  });

  it('signs in with Digest, with quotes and a query', async () => {
    const output = await curl(['--digest', '-u', `Mufasa:${password}`, `${url}/a?b=1&c=%20`]);
    expect(output).toMatch(
      /HTTP\/1\.1 401 [^]*HTTP\/1\.1 200 [^]*Authentication-Info: rspauth="[^]*hello Mufasa$/,
    );
  });

  it('signs in with Digest repeatedly over one connection', async () => {
    const output = await curl(['--digest', '-u', `Mufasa:${password}`, `${url}/a`, `${url}/b`, `${url}/c`]);
    expect(output.match(/hello Mufasa/g)).toHaveLength(3);
    expect(output).not.toContain('stale');
  });

  it('sends a body to a guarded resource', async () => {
    const output = await curl(['--digest', '-u', `Mufasa:${password}`, '--data', 'x=1', `${url}/post`]);
    expect(output).toMatch(/hello Mufasa$/);
  });

  it('chooses Digest when both are offered, and Basic when asked to', async () => {
    expect(await curl(['--anyauth', '-u', `Mufasa:${password}`, url])).toMatch(/Authentication-Info/);
    expect(await curl(['--basic', '-u', 'Mufasa:password', url])).toMatch(/hello Mufasa$/);
  });

  it('is rejected with a wrong password, and not marked stale', async () => {
    const output = await curl(['--digest', '-u', 'Mufasa:wrong', url]);
    expect(output.match(/HTTP\/1\.1 401/g)).toHaveLength(2);
    expect(output).not.toContain('stale');
  });
});
