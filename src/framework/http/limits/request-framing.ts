import type { IncomingMessage } from 'node:http';
import { problem } from '../../problem/errors';
import type { Problem } from '../../problem/problem';
import { HOST } from '../fields';
import { authorityOf, splitOrigin } from '../target';

/** The limits of the request line and the header section. */
export interface HeadLimits {
  /** Bytes. */
  readonly maxRequestLine: number;
  /** Bytes of all names and values. */
  readonly maxHeaderSize: number;
  readonly maxHeaderFields: number;
}

/** The bytes of a request line besides method and target: two spaces and the version. */
const LINE_REST = ' '.length + ' HTTP/1.1'.length;

const SLASH = 0x2f;

/** The fields that decide where a request ends and which host it is for. */
interface Framing {
  readonly host: string;
  /** The bytes of all names and values. */
  readonly size: number;
  /** Number of `Host` lines. */
  readonly hosts: number;
  /** All lines of `Transfer-Encoding`, joined. */
  readonly coding: string | undefined;
}

/**
 * Rejects requests that servers and proxies may interpret differently (RFC 9112, 2.3, 3.2 and 6.1), which Node's
 * parser accepts.
 */
export class RequestFraming {
  readonly #limits: HeadLimits;
  /** The latest valid `Host`: most requests have the same one. */
  #validHost: string | undefined;

  constructor(limits: HeadLimits) {
    this.#limits = limits;
  }

  /** Returns the problem with the request, if any. The connection must be closed after the response. */
  check({ method = '', url = '', rawHeaders, httpVersion }: IncomingMessage): Problem | undefined {
    const { maxRequestLine, maxHeaderSize, maxHeaderFields } = this.#limits;
    if (method.length + url.length + LINE_REST > maxRequestLine)
      return problem('request_line_too_long', { limit: maxRequestLine });
    if (rawHeaders.length > 2 * maxHeaderFields)
      return problem('too_many_header_fields', { limit: maxHeaderFields });
    const framing = readFraming(rawHeaders);
    const { host, hosts, coding, size } = framing;
    if (size > maxHeaderSize) return problem('header_section_too_large', { limit: maxHeaderSize });
    // The fast path of nearly every request.
    if (
      hosts === 1 &&
      host === this.#validHost &&
      coding === undefined &&
      httpVersion === '1.1' &&
      url.charCodeAt(0) === SLASH
    )
      return undefined;
    const refusal =
      versionRefusal(httpVersion) ??
      hostRefusal(framing, httpVersion) ??
      targetRefusal(url) ??
      codingRefusal(coding, httpVersion);
    if (refusal === undefined && hosts === 1) this.#validHost = host;
    return refusal;
  }
}

/** Reads both fields in one pass; comparing lengths first avoids most lower-casing. */
function readFraming(raw: readonly string[]): Framing {
  let host = '';
  let hosts = 0;
  let size = 0;
  let coding: string | undefined;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? '';
    size += name.length + (raw[at + 1] ?? '').length;
    if (name.length === 4 && name.toLowerCase() === 'host') {
      host = raw[at + 1] ?? '';
      hosts++;
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      const value = raw[at + 1] ?? '';
      coding = coding === undefined ? value : `${coding}, ${value}`;
    }
  }
  return { host, size, hosts, coding };
}

function versionRefusal(httpVersion: string): Problem | undefined {
  if (httpVersion === '1.1' || httpVersion === '1.0') return undefined;
  return problem('http_version_not_supported', {});
}

function hostRefusal({ host, hosts }: Framing, httpVersion: string): Problem | undefined {
  if (hosts === 0) {
    return httpVersion === '1.0' ? undefined : badRequest('The request has no Host field (RFC 9112, 3.2).');
  }
  if (hosts > 1) return badRequest('The request has more than one Host field line (RFC 9112, 3.2).');
  if (host === '') return badRequest('The Host field is empty (RFC 9112, 3.2).');
  if (HOST.test(host)) return undefined;
  return badRequest('The Host field is not a host name or address with an optional port (RFC 9112, 3.2).');
}

/** The authority of a target replaces the `Host` field (RFC 9112, 3.2.2). */
function targetRefusal(url: string): Problem | undefined {
  const authority = authorityOf(url);
  if (authority === undefined) return undefined;
  if (!HOST.test(authority))
    return badRequest(
      'The request target does not name a host name or address with an optional port (RFC 9110, 4.2.1).',
    );
  // A name may pass for that of the host, whatever the scheme.
  if (splitOrigin(url)[0].includes('@'))
    return badRequest(
      'The request target has userinfo (RFC 9110, 4.2.4). Send credentials in the Authorization field.',
    );
  return undefined;
}

/** Only `chunked` is supported, and not in HTTP/1.0 (RFC 9112, 6.1). */
function codingRefusal(coding: string | undefined, httpVersion: string): Problem | undefined {
  if (coding === undefined) return undefined;
  if (httpVersion === '1.0')
    return badRequest('An HTTP/1.0 request must not have a Transfer-Encoding field (RFC 9112, 6.1).');
  return coding.toLowerCase() === 'chunked' ? undefined : problem('unsupported_transfer_coding', { coding });
}

function badRequest(reason: string): Problem {
  return problem('bad_request', { reason });
}
