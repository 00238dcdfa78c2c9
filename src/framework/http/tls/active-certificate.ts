import { expiryWarning } from './expiry';
import type { TlsMaterial } from './tls-files';

/** The certificate of the connections of this process: changed files replace it without a reload. */
export class ActiveCertificate {
  #material: TlsMaterial | undefined;
  #kept: string | undefined;

  /** @param material undefined without TLS */
  replace(material: TlsMaterial | undefined): void {
    this.#material = material;
    this.#kept = undefined;
  }

  /** Adds a warning that applies until the certificate is replaced. */
  keep(warning: string): void {
    this.#kept = warning;
  }

  /** Returns the warnings about the certificate. @param now in milliseconds since 1970 */
  warnings(now: number): readonly string[] {
    const expiry = this.#material === undefined ? undefined : expiryWarning(this.#material, now);
    return [this.#kept, expiry].filter((warning) => warning !== undefined);
  }
}
