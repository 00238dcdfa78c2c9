import { pluralize } from '../../text/pluralize';
import type { TlsMaterial } from './tls-files';

/** Days before the end of a certificate at which warnings begin. */
const WARNING_DAYS = 14;
const DAY_MS = 86_400_000;

/** When a certificate ends, in milliseconds since 1970. */
export function expiryOf({ certificate }: TlsMaterial): number {
  return Date.parse(certificate.validTo);
}

/** Whether clients accept the period of a certificate. @param now in milliseconds since 1970 */
export function isValidAt({ certificate }: TlsMaterial, now: number): boolean {
  return Date.parse(certificate.validFrom) <= now && now < Date.parse(certificate.validTo);
}

/** Returns the warning about a certificate that clients refuse, or will soon; undefined if there is none. */
export function expiryWarning(material: TlsMaterial, now: number): string | undefined {
  const { certificate, options } = material;
  const look = `Renew it. To inspect it: openssl x509 -in ${options.certificate} -noout -subject -dates`;
  const from = Date.parse(certificate.validFrom);
  if (now < from)
    return `The certificate ${options.certificate} is not valid before ${day(from)}; clients refuse it. Check the clock of this machine: date -u`;
  const left = expiryOf(material) - now;
  if (left <= 0)
    return `The certificate ${options.certificate} expired on ${day(expiryOf(material))}; clients refuse it. ${look}`;
  if (left >= WARNING_DAYS * DAY_MS) return undefined;
  const days = Math.floor(left / DAY_MS);
  const when = days === 0 ? 'in less than a day' : `in ${pluralize(days, 'day')}`;
  return `The certificate ${options.certificate} expires ${when}, on ${day(expiryOf(material))}. ${look}`;
}

/** Returns the warning about files that are not used: clients would refuse their certificate, but not the active one. */
export function keptWarning(active: TlsMaterial, { options }: TlsMaterial): string {
  return `The previous certificate stays active until it expires on ${day(expiryOf(active))}: connections do not get the one in ${options.certificate}.`;
}

const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
