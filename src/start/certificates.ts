import { setTimeout as delay } from 'node:timers/promises';
import {
  ConfigurationError,
  expiryOf,
  expiryWarning,
  FileWatch,
  fileMark,
  isValidAt,
  keptWarning,
  loadTls,
  type ActiveCertificate,
  type Application,
  type Log,
  type Measurement,
  type Server,
  type TlsMaterial,
  type TlsOptions,
} from '../framework';

/** How often the expiry of the certificate is checked, in milliseconds. */
const EXPIRY_INTERVAL_MS = 24 * 60 * 60 * 1_000;

/** How long a file may contradict the other, in milliseconds: a certificate and its key are replaced one by one. */
const REPLACEMENT_MS = 2_000;

/** Keeps the certificate of a server up to date with its files. */
export class Certificates {
  readonly #server: Server;
  readonly #active: ActiveCertificate;
  readonly #log: () => Log;
  readonly #timer: NodeJS.Timeout;
  #watches: readonly FileWatch[] = [];
  /** Increased by each change of files: an older attempt to read them ends. */
  #changes = 0;

  /** @param log of the active application */
  constructor(server: Server, active: ActiveCertificate, log: () => Log) {
    this.#server = server;
    this.#active = active;
    this.#log = log;
    this.#timer = setInterval(() => this.#warn(), EXPIRY_INTERVAL_MS).unref();
  }

  /** Uses the files of an application from now on, and adds a warning to it if the previous certificate stays active. */
  async use({
    tls: material,
    warnings,
    certificateWarnings,
  }: Pick<Application, 'tls' | 'warnings' | 'certificateWarnings'>): Promise<void> {
    this.#changes++;
    for (const watch of this.#watches) watch.close();
    this.#watches = [];
    this.#replace(material);
    const { tls: active } = this.#server;
    if (material !== undefined && active !== undefined && !hasSameCertificate(material, active)) {
      const kept = keptWarning(active, material);
      this.#active.keep(kept);
      warnings.push(kept);
      certificateWarnings.push(kept);
    }
    if (material !== undefined) await this.#watch(material.options);
  }

  close(): void {
    this.#changes++;
    clearInterval(this.#timer);
    for (const watch of this.#watches) watch.close();
  }

  readonly measurements: readonly Measurement[] = [
    {
      name: 'apidesc_tls_certificate_expiry_timestamp_seconds',
      help: 'When the certificate of the server expires, in seconds since 1970.',
      type: 'gauge',
      aggregate: 'minimum',
      values: () => {
        const { tls } = this.#server;
        return tls === undefined ? [] : [[{}, expiryOf(tls) / 1_000]];
      },
    },
    {
      name: 'apidesc_connection_failures_total',
      help: 'Connections that were closed before their first request.',
      type: 'counter',
      values: () =>
        [...this.#server.openingFailures.counts].map(([cause, count]) => [{ cause }, count] as const),
    },
  ];

  async #watch(options: TlsOptions): Promise<void> {
    const changes = this.#changes;
    const files = [options.certificate, options.key, options.clientCertificates?.ca].filter(
      (file) => file !== undefined,
    );
    const marks = await Promise.all(files.map(fileMark));
    if (changes !== this.#changes) return;
    this.#watches = files.map(
      (file, at) => new FileWatch(file, marks[at] ?? '', () => this.#reload(options)),
    );
  }

  async #reload(options: TlsOptions): Promise<void> {
    const change = ++this.#changes;
    const error = this.#tryReload(options);
    if (error === undefined) return;
    await delay(REPLACEMENT_MS, undefined, { ref: false });
    // The other file may have changed since then, and both were read again.
    if (change !== this.#changes) return;
    const again = this.#tryReload(options);
    if (again === undefined) return;
    this.#log().error(
      { certificate: options.certificate },
      `The previous certificate stays active; the changed files are not used: ${again.message}`,
    );
  }

  /** Returns what is wrong with the files. */
  #tryReload(options: TlsOptions): ConfigurationError | undefined {
    try {
      this.#replace(loadTls(options));
      return undefined;
    } catch (error) {
      if (error instanceof ConfigurationError) return error;
      throw error;
    }
  }

  #replace(material: TlsMaterial | undefined): void {
    const { tls: current } = this.#server;
    const now = Date.now();
    if (material !== undefined && current !== undefined) {
      if (hasSameCertificate(material, current) && isSame(material, current)) {
        // The files contain it again.
        this.#active.replace(current);
        return;
      }
      if (!isValidAt(material, now) && isValidAt(current, now)) {
        this.#log().error(
          { certificate: material.options.certificate },
          `The previous certificate stays active; the changed files are not used: ${expiryWarning(material, now) ?? ''}`,
        );
        return;
      }
    }
    this.#server.tls = material;
    this.#active.replace(material);
    if (material === undefined) return;
    if (current !== undefined) {
      const { certificate, options } = material;
      this.#log().info(
        {
          certificate: options.certificate,
          fingerprint: certificate.fingerprint256,
          expires: certificate.validTo,
        },
        'The certificate was replaced.',
      );
      this.#warn();
    }
  }

  #warn(): void {
    const { tls } = this.#server;
    const warning = tls === undefined ? undefined : expiryWarning(tls, Date.now());
    if (warning !== undefined) this.#log().warn({}, warning);
  }
}

function hasSameCertificate({ certificate }: TlsMaterial, other: TlsMaterial): boolean {
  return certificate.fingerprint256 === other.certificate.fingerprint256;
}

/** Whether connections would be secured in the same way. */
function isSame(one: TlsMaterial, other: TlsMaterial): boolean {
  return JSON.stringify([one.options, one.context]) === JSON.stringify([other.options, other.context]);
}
