import type { ServerResponse } from 'node:http';
import { isObject } from '../../values/config-object';
import type { Request } from '../request';
import type { Response } from '../response';
import { parseCookies } from './parse-cookies';
import { serializeCookie, type CookieOptions } from './serialize-cookie';

/** A request and its response, such as the event of a request. */
interface Exchange {
  readonly request: Request;
  /** May be replaced. */
  readonly response: Response;
  readonly outgoing: ServerResponse;
}

/** The names that browsers accept over TLS only. */
const SECURE_PREFIX = /^__(?:host|secure)-/i;

/**
 * The cookies of a request, and those that its response sets.
 *
 * @example
 * const theme = cookies.get('theme') ?? 'light';
 * cookies.set('__Host-session', token, { maxAge: 3600 });
 */
export class Cookies {
  readonly #exchange: Exchange;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** Returns the value that the client sent; the first of several. It is not decoded. */
  get(name: string): string | undefined {
    return this.getAll(name)[0];
  }

  /** Returns all values of a name: pages of other paths and subdomains may have set cookies of the same name. */
  getAll(name: string): readonly string[] {
    return parseCookies(this.#exchange.request.header('cookie')).get(name) ?? [];
  }

  /**
   * Adds a cookie to the response: `Path=/; HttpOnly; SameSite=Lax`, and `Secure` if the client used TLS, or the cookie
   * requires it. An error response does not have it.
   *
   * @throws TypeError for an invalid cookie, Error after the response was sent
   */
  set(name: string, value: string, options: CookieOptions = {}): void {
    const { request, response, outgoing } = this.#exchange;
    const requiresTls =
      SECURE_PREFIX.test(name) || options.sameSite === 'None' || options.partitioned === true;
    const secure = options.secure ?? (requiresTls || request.scheme === 'https');
    const line = serializeCookie(name, value, isObject(options) ? { ...options, secure } : options);
    if (outgoing.headersSent)
      throw new Error(
        `The cookie "${name}" cannot be set: the header section of the response has been sent. Set it before the first item of a stream.`,
      );
    response.fields.append('Set-Cookie', line);
  }

  /** Removes a cookie from the client. @param options the `path`, `domain` and `partitioned` that it was set with */
  delete(name: string, options: Omit<CookieOptions, 'maxAge'> = {}): void {
    this.set(name, '', { ...options, maxAge: 0 });
  }
}
