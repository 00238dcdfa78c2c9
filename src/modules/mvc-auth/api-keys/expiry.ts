import { PasswordEditError } from '../password-files/editing/password-edit-error';

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
};

/** 100 years. */
const MAX_MS = 3_153_600_000_000;

const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?Z)?$/;

/**
 * Parses when a key expires: a duration from now (`90m`, `12h`, `30d`, `4w`, `1y`), a day or a time in UTC
 * (`2027-01-31`, `2027-01-31T12:00:00Z`).
 * @throws PasswordEditError for another text, and for a time in the past
 */
export function parseExpiry(text: string, now = new Date()): Date {
  const [, digits, unit] = /^(\d{1,6})([mhdwy])$/.exec(text) ?? [];
  const duration = Number(digits) * (UNITS[unit ?? ''] ?? NaN);
  const date = DATE.test(text) ? new Date(text) : new Date(now.getTime() + duration);
  // Date.parse accepts the 31st of every month.
  const isDay =
    !DATE.test(text) || (!Number.isNaN(date.getTime()) && date.toISOString().startsWith(text.slice(0, 10)));
  if (Number.isNaN(date.getTime()) || !isDay)
    throw new PasswordEditError(
      `${JSON.stringify(text)} is not a time of expiry. Write a duration such as 12h, 30d, 4w or 1y, or a day in UTC such as 2027-01-31.`,
    );
  if (date <= now)
    throw new PasswordEditError(
      `${JSON.stringify(text)} is in the past: the key would have expired already.`,
    );
  if (date.getTime() - now.getTime() > MAX_MS)
    throw new PasswordEditError(
      `${JSON.stringify(text)} is more than 100 years away. Omit it for a key that does not expire.`,
    );
  return date;
}
