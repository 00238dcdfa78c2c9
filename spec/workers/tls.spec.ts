import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { AdminClient, PASSWORD } from '../factories/admin/admin';
import { CertificateAuthority, type CertificateFiles } from '../factories/http/certificates';
import { hashWithBcrypt } from '../../src/modules/mvc-auth/passwords/hashes/bcrypt-hash';
import { withPrograms } from '../factories/processes/programs';
import { ServerProcesses, type ServerProcess } from '../factories/processes/server-process';
import { until, workersProject } from '../factories/processes/workers';

const { describe, it } = withPrograms('openssl');

const servers = new ServerProcesses();
afterEach(() => servers.clear());
jest.setTimeout(180_000);

/** Says which client certificate a process sees. */
const MODULE = `
export default class {
  name = 'subject';
  requires = ['where'];
  onBootstrap({ application }) {
    application.events.attach('response', ({ request, response }) => {
      response.fields.set('X-Subject', JSON.stringify(request.clientCertificate?.subject ?? null));
    }, 50);
  }
}
`;

interface Answer {
  readonly status: number;
  readonly subject: unknown;
  readonly text: string;
  /** The certificate of the server. */
  readonly fingerprint: string;
}

describe('TLS with several workers', () => {
  let authority: CertificateAuthority;
  let files: CertificateFiles;
  beforeAll(() => {
    authority = new CertificateAuthority();
    files = authority.issue('server');
  });
  afterAll(() => authority.remove());

  async function start(): Promise<{ readonly server: ServerProcess; readonly origin: string }> {
    const tls = {
      certificate: files.certificate,
      key: files.key,
      client_certificates: { ca: authority.file },
    };
    const root = servers.project(
      workersProject(
        { server: { workers: 2, tls } },
        {
          modules: ['./subject.mjs', 'admin'],
          files: {
            'subject.mjs': MODULE,
            'data/administrators.htpasswd': `ada:${await hashWithBcrypt(PASSWORD, 4)}\n`,
          },
        },
      ),
    );
    const server = servers.start(['--root', root]);
    return { server, origin: await server.origin() };
  }

  /** Sends a request over a connection of its own. */
  function get(
    url: string,
    client?: CertificateFiles,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const own =
      client === undefined ? {} : { cert: readFileSync(client.certificate), key: readFileSync(client.key) };
    return new Promise((resolve, reject) => {
      const sent = request(url, { ca: authority.pem, agent: false, headers, ...own }, (response) => {
        const { socket } = response;
        const fingerprint =
          'getPeerCertificate' in socket ? (socket as TLSSocket).getPeerCertificate().fingerprint256 : '';
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            subject: JSON.parse(String(response.headers['x-subject'] ?? 'null')),
            text,
            fingerprint,
          }),
        );
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  it('serves HTTPS in each of them, and knows the certificates of clients', async () => {
    const { origin } = await start();
    expect(origin).toMatch(/^https:/);
    const client = authority.issue('client', { subject: '/CN=ada/O=Example' });
    const pids = new Set<number>();
    for (let turn = 0; turn < 6; turn++) {
      const { status, subject, text } = await get(`${origin}/where`, client);
      expect([status, subject]).toEqual([200, { CN: 'ada', O: 'Example' }]);
      pids.add((JSON.parse(text) as { pid: number }).pid);
    }
    expect(pids.size).toBe(2);
    expect((await get(`${origin}/where`)).subject).toBeNull();
    const stranger = new CertificateAuthority('Another CA');
    const forged = stranger.issue('forged', { subject: '/CN=ada' });
    expect((await get(`${origin}/where`, forged)).subject).toBeNull();
    stranger.remove();
  });

  it('passes the certificate and the encryption on with requests of administrators', async () => {
    const { origin } = await start();
    const client = authority.issue('admin', { subject: '/CN=ada' });
    for (let turn = 0; turn < 4; turn++) {
      const page = await get(`${origin}/platform/admin/sign-in`, client);
      expect([page.status, page.subject]).toEqual([200, { CN: 'ada' }]);
    }
    // The field in which a worker describes the client is worth nothing without its secret.
    const forged = {
      'X-Apidesc-Worker-Client': Buffer.from('{"secret":"","address":"127.0.0.1"}').toString('base64url'),
    };
    expect((await get(`${origin}/platform/admin/sign-in`, undefined, forged)).subject).toBeNull();
  });

  it('loads a renewed certificate in all of them', async () => {
    const { server, origin } = await start();
    const before = (await get(`${origin}/where`)).fingerprint;
    authority.issue('server');
    server.child.kill('SIGHUP');
    await until(async () => {
      const next = await Promise.all([1, 2, 3, 4].map(() => get(`${origin}/where`)));
      return next.every(({ fingerprint }) => fingerprint !== before && fingerprint !== '');
    });
    const after = await Promise.all([1, 2, 3, 4].map(() => get(`${origin}/where`)));
    expect(new Set(after.map(({ fingerprint }) => fingerprint)).size).toBe(1);
    expect(after[0]?.fingerprint).not.toBe(before);
  });
});

describe('request traces with several workers', () => {
  it('have the requests of all workers, as many as were requested', async () => {
    const files = { 'data/administrators.htpasswd': `ada:${await hashWithBcrypt(PASSWORD, 4)}\n` };
    const root = servers.project(
      workersProject(
        { server: { workers: 2 } },
        { modules: ['admin', 'documentation', 'operations'], files },
      ),
    );
    const origin = await servers.start(['--root', root]).origin();
    const ada = new AdminClient(origin);
    await ada.post('/sign-in', { name: 'ada', password: PASSWORD });
    await ada.post('/traces', { requests: '4', minutes: '5', path: '/where', user: '' });
    const headers = { Authorization: `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}` };
    const read = async (path: string): Promise<Record<string, unknown>> =>
      (await (await fetch(`${origin}/platform/admin/api/v1${path}`, { headers })).json()) as Record<
        string,
        unknown
      >;
    const pids = new Set<number>();
    let asked = 0;
    // Workers learn of the recording within milliseconds of each other.
    await until(async () => {
      const { pid } = (await (
        await fetch(`${origin}/where`, { headers: { Connection: 'close' } })
      ).json()) as {
        pid: number;
      };
      asked++;
      pids.add(pid);
      return (await read('/trace-recording')).recording === false;
    });
    expect(asked).toBeGreaterThanOrEqual(4);
    expect(pids.size).toBe(2);
    const traces = JSON.stringify(await read('/traces'));
    expect(traces.match(/"path":"\/where"/g)).toHaveLength(4);
    // No worker records any more.
    for (let turn = 0; turn < 6; turn++) await (await fetch(`${origin}/where`)).text();
    expect(JSON.stringify(await read('/traces')).match(/"path":"\/where"/g)).toHaveLength(4);
  });
});
