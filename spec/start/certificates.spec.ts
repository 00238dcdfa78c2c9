import { copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from 'node:tls';
import { ActiveCertificate, type ConfigObject } from '../../src/framework';
import { CertificateAuthority, type CertificateFiles } from '../factories/http/certificates';
import { startTestPlatform, type TestPlatform } from '../factories/platform';
import { withPrograms } from '../factories/processes/programs';
import { until } from '../factories/until';

const { describe, it } = withPrograms('openssl');

const MODULES = ['content-negotiation', 'hosting', 'operations'];

let authority: CertificateAuthority;
let platform: TestPlatform | undefined;
/** The folder with the files that the service reads. */
let folder: string;

beforeAll(() => (authority = new CertificateAuthority()));
afterAll(() => authority.remove());
beforeEach(() => {
  folder = authority.path(`served-${Math.random().toString(36).slice(2)}`);
  mkdirSync(folder);
});
afterEach(() => platform?.stop());

/** Replaces both files by a rename, like most tools. */
function install({ certificate, key }: Partial<CertificateFiles>): void {
  for (const [from, name] of [
    [certificate, 'tls.crt'],
    [key, 'tls.key'],
  ] as const) {
    if (from === undefined) continue;
    copyFileSync(from, path.join(folder, `${name}.new`));
    renameSync(path.join(folder, `${name}.new`), path.join(folder, name));
  }
}

const served = (name: string): string => path.join(folder, name);

const start = async (tls: ConfigObject = {}): Promise<void> => {
  const server = { tls: { certificate: served('tls.crt'), key: served('tls.key'), ...tls } };
  platform = await startTestPlatform({ modules: MODULES, local: { server } });
};

/** The common name of the certificate that new connections get. */
function commonName(): Promise<string> {
  const { port } = new URL(platform?.origin ?? '');
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', ca: authority.pem });
    socket.on('error', reject);
    socket.on('secureConnect', () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
  });
}

const logged = (text: RegExp): boolean =>
  platform?.log.lines.some(({ message }) => text.test(message)) === true;

const issue = (name: string, options: { readonly days?: number } = {}): CertificateFiles =>
  authority.issue(name, { subject: `/CN=${name}`, ...options });

describe('A service with a certificate', () => {
  it('serves HTTPS and says so in its origin', async () => {
    install(issue('one'));
    await start();
    expect(platform?.origin).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await commonName()).toBe('one');
  });

  it('uses changed files, whichever of the two is replaced first', async () => {
    install(issue('one'));
    await start();
    const [two, three] = [issue('two'), issue('three')];
    install(two);
    await until(async () => (await commonName()) === 'two');
    install({ key: three.key });
    expect(await commonName()).toBe('two');
    install({ certificate: three.certificate });
    await until(async () => (await commonName()) === 'three');
    await until(() => logged(/^The certificate was replaced\.$/));
  });

  it('follows the links of Kubernetes and certbot when they are changed', async () => {
    for (const version of ['v1', 'v2']) {
      const { certificate, key } = issue(version);
      mkdirSync(served(version));
      copyFileSync(certificate, path.join(served(version), 'tls.crt'));
      copyFileSync(key, path.join(served(version), 'tls.key'));
    }
    symlinkSync('v1', served('..data'));
    for (const name of ['tls.crt', 'tls.key']) symlinkSync(`..data/${name}`, served(name));
    await start();
    expect(await commonName()).toBe('v1');
    symlinkSync('v2', served('..data_tmp'));
    renameSync(served('..data_tmp'), served('..data'));
    await until(async () => (await commonName()) === 'v2');
  });

  it('keeps the previous certificate if the new one cannot be used, and logs why', async () => {
    install(issue('good'));
    await start();
    install({ certificate: issue('stranger').certificate });
    await until(() =>
      logged(/previous certificate stays active.*tls\.key is not the key of the certificate.*tls\.crt/),
    );
    install(issue('expired', { days: -1 }));
    await until(() => logged(/previous certificate stays active.*tls\.crt expired on/));
    rmSync(served('tls.key'));
    await until(() => logged(/previous certificate stays active.*tls\.key does not exist/));
    writeFileSync(served('tls.crt'), 'nonsense');
    await until(() => logged(/previous certificate stays active.*contains no certificate in PEM/));
    expect(await commonName()).toBe('good');
    install(issue('repaired'));
    await until(async () => (await commonName()) === 'repaired');
  });

  it('reads the files on a reload, which fails if they cannot be used', async () => {
    install(issue('one'));
    await start();
    writeFileSync(served('tls.key'), 'nonsense');
    await expect(platform?.host.reload()).rejects.toThrow(
      /local\.json:\d+:\d+: server\.tls: .*tls\.key contains no key in PEM/,
    );
    expect(await commonName()).toBe('one');
    install(issue('two'));
    await platform?.host.reload();
    expect(await commonName()).toBe('two');
  });

  it('warns on a reload that the previous certificate is served instead of one that has expired', async () => {
    install(issue('good', { days: 40 }));
    await start();
    install(issue('expired', { days: -1 }));
    await platform?.host.reload();
    expect(await commonName()).toBe('good');
    expect(platform?.application.warnings).toEqual([
      expect.stringMatching(/tls\.crt expired on .*; clients refuse it\./),
      expect.stringMatching(
        /^The previous certificate stays active until it expires on \d{4}-\d\d-\d\d: connections do not get the one in .*tls\.crt\.$/,
      ),
    ]);
    install(issue('next', { days: 40 }));
    await platform?.host.reload();
    expect(await commonName()).toBe('next');
    expect(platform?.application.warnings).toEqual([]);
  });

  it('warns of the certificate in use at the present time, also without a reload', async () => {
    install(issue('soon', { days: 3 }));
    await start();
    const active = platform?.application.sharedState.find(ActiveCertificate);
    const inDays = (days: number): readonly string[] | undefined =>
      active?.warnings(Date.now() + days * 24 * 60 * 60 * 1_000);
    expect(inDays(0)).toEqual([expect.stringMatching(/tls\.crt expires in 2 days, on/)]);
    install(issue('next', { days: 40 }));
    await until(async () => (await commonName()) === 'next');
    expect(inDays(0)).toEqual([]);
    expect(inDays(41)).toEqual([expect.stringMatching(/tls\.crt expired on/)]);
    install(issue('expired', { days: -1 }));
    await platform?.host.reload();
    expect(inDays(0)).toEqual([expect.stringMatching(/^The previous certificate stays active/)]);
  });

  it('no longer warns of unused files once they contain the certificate in use again', async () => {
    const good = issue('good', { days: 40 });
    install(good);
    await start();
    const warnings = (): readonly string[] | undefined =>
      platform?.application.sharedState.find(ActiveCertificate)?.warnings(Date.now());
    const useExpired = async (): Promise<void> => {
      install(issue('expired', { days: -1 }));
      await platform?.host.reload();
      expect(warnings()).toEqual([expect.stringMatching(/^The previous certificate stays active/)]);
    };
    await useExpired();
    install(good);
    await platform?.host.reload();
    expect(warnings()).toEqual([]);
    await useExpired();
    await until(async () => {
      // The files may not be watched yet, and are read once they stay unchanged.
      install(good);
      await delay(500);
      return warnings()?.length === 0;
    });
  });

  it('warns at startup about a certificate that expires soon', async () => {
    install(issue('soon', { days: 3 }));
    await start();
    expect(platform?.application.warnings).toEqual([expect.stringMatching(/tls\.crt expires in 2 days, on/)]);
  });

  it('does not start without usable files', async () => {
    await expect(start()).rejects.toThrow(/local\.json:\d+:\d+: server\.tls: .*tls\.crt does not exist/);
    install({ ...issue('one'), key: issue('two').key });
    await expect(start()).rejects.toThrow(/server\.tls: .*tls\.key is not the key of the certificate/);
    await expect(start({ minimum_version: 'TLSv1.1' })).rejects.toThrow(/server\.tls\.minimum_version/);
  });
});
