import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A certificate and its key, as PEM files. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/** A certificate authority in a temporary folder. Requires `withPrograms('openssl')`. */
export class CertificateAuthority {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'certificates-'));
  /** The PEM file of its certificate. */
  readonly file = this.path('ca.pem');

  constructor(name = 'Test CA') {
    const key = ['-keyout', this.path('ca.key'), '-out', this.file];
    this.run('req', '-x509', '-new', ...NEW_KEY, ...key, '-subj', `/CN=${name}`, '-days', '30');
  }

  get pem(): string {
    return readFileSync(this.file, 'utf8');
  }

  path(name: string): string {
    return path.join(this.folder, name);
  }

  /** Issues a certificate for `localhost` and 127.0.0.1. @param days negative for one that has expired */
  issue(name: string, { subject = '/CN=localhost', days = 30 } = {}): CertificateFiles {
    const [certificate, key, request] = [
      this.path(`${name}.pem`),
      this.path(`${name}.key`),
      this.path('csr'),
    ];
    this.run('req', '-new', ...NEW_KEY, '-keyout', key, '-out', request, '-subj', subject);
    writeFileSync(this.path('names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1');
    const by = ['-CA', this.file, '-CAkey', this.path('ca.key'), '-CAcreateserial'];
    const period = ['-days', String(days), '-extfile', this.path('names')];
    this.run('x509', '-req', '-in', request, ...by, ...period, '-out', certificate);
    return { certificate, key };
  }

  /** Runs `openssl`. */
  run(...args: readonly string[]): string {
    return execFileSync('openssl', args, {
      env: process.env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
