import type { Client, PoolConfig } from 'pg';
import { ConfigurationError, isSystemError, systemErrorCode } from '../../../../../framework';
import { postgresDriver } from '../postgres-driver';

/** URLs of servers, and of their Unix sockets. */
const URL_PATTERN = /^(?:postgres(?:ql)?:\/\/|socket:|\/)/i;

interface Target {
  readonly host: string;
  readonly port: number;
  readonly database?: string | undefined;
  readonly options: string | undefined;
}

/**
 * Where a URL leads to, as the driver reads it.
 * @param key names the URL in the error
 * @throws ConfigurationError, which does not repeat the URL
 */
export function parseUrl(ClientClass: typeof Client, url: string, key: string): Target {
  try {
    // The driver would take other texts for the name of a database on a host "base".
    if (!URL_PATTERN.test(url)) throw new TypeError('The URL has another scheme.');
    const client = new ClientClass({ connectionString: url });
    const { connectionParameters } = client as Client & {
      readonly connectionParameters: { readonly options?: string };
    };
    const { host, port, database } = client;
    return { host, port, database, options: connectionParameters.options };
  } catch (cause) {
    // The driver reads certificates.
    if (isSystemError(cause)) {
      // The error of a folder has no path.
      const file = cause.path === undefined ? 'a file that' : `the file ${cause.path}, which`;
      throw new ConfigurationError(
        `${key} names ${file} cannot be read (${systemErrorCode(cause)}). Correct the path, or make it readable for this user.`,
        { cause },
      );
    }
    // The URL contains the password: it is not repeated.
    throw new ConfigurationError(
      `${key} is not valid. Expected: postgres://user:password@host:5432/database`,
      { cause },
    );
  }
}

/** @throws ConfigurationError for an invalid URL, as {@link parseUrl}, or a missing driver */
export function assertUrl(url: string, key: string): void {
  parseUrl(postgresDriver().Client, url, key);
}

/**
 * Settings of sessions, whatever those of the database: dates, durations and instants have one notation, and instants
 * without an offset one meaning; a backslash in a text of a statement is one. Connection poolers pass these settings on, but
 * not `bytea_output` and `extra_float_digits`.
 */
const SETTINGS =
  '-c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=postgres -c standard_conforming_strings=on';

/** @param options those of the URL or of the environment */
export function withSettings(url: string, options: string | undefined): PoolConfig {
  const all = `${options ?? ''} ${SETTINGS}`.trim();
  // Those of a URL take precedence over those besides it; its last ones count.
  const connectionString = /[?&]options=/.test(url) ? `${url}&options=${encodeURIComponent(all)}` : url;
  return { connectionString, options: all };
}
