import type { IncomingMessage } from 'node:http';
import { problem } from '../../problem/errors';
import type { Problem } from '../../problem/problem';

/** `uri-host [":" port]` of RFC 9110, 7.2, with the host that an http URI must have (4.2.1). */
const HOST = /^(?:\[[\w.~!$&'()*+,;=:%-]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d*)?$/;

/** What has to be known of a request before anybody may trust where it ends and whom it is for. */
interface Framing {
  readonly host: string;
  /** How many lines of it there are. */
  readonly hosts: number;
  /** The values of `Transfer-Encoding`, all of its lines; undefined for none. */
  readonly coding: string | undefined;
}

/**
 * Refuses requests that servers and proxies understand differently (RFC 9112, 2.3, 3.2 and 6.1). Node's parser lets
 * them pass.
 */
export class RequestFraming {
  /** The latest valid `Host`: most requests of a service have the same one. */
  #validHost: string | undefined;

  /** @returns why the request is refused; its connection must end with the answer */
  check({ rawHeaders, httpVersion }: IncomingMessage): Problem | undefined {
    const framing = readFraming(rawHeaders);
    const { host, hosts, coding } = framing;
    // Nearly every request.
    if (hosts === 1 && host === this.#validHost && coding === undefined && httpVersion === '1.1')
      return undefined;
    const refusal =
      versionRefusal(httpVersion) ?? hostRefusal(framing, httpVersion) ?? codingRefusal(coding, httpVersion);
    if (refusal === undefined && hosts === 1) this.#validHost = host;
    return refusal;
  }
}

/** Goes through the fields once; names differ in length from most others already. */
function readFraming(raw: readonly string[]): Framing {
  let host = '';
  let hosts = 0;
  let coding: string | undefined;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') {
      host = raw[at + 1] ?? '';
      hosts++;
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      const value = raw[at + 1] ?? '';
      coding = coding === undefined ? value : `${coding}, ${value}`;
    }
  }
  return { host, hosts, coding };
}

function versionRefusal(httpVersion: string): Problem | undefined {
  if (httpVersion === '1.1' || httpVersion === '1.0') return undefined;
  return problem('http_version_not_supported', {});
}

function hostRefusal({ host, hosts }: Framing, httpVersion: string): Problem | undefined {
  if (hosts === 0) {
    return httpVersion === '1.0' ? undefined : badRequest('The request has no Host field (RFC 9112, 3.2).');
  }
  if (hosts > 1) return badRequest('The request has more than one Host field (RFC 9112, 3.2).');
  if (host === '') return badRequest('The Host field is empty (RFC 9112, 3.2).');
  if (HOST.test(host)) return undefined;
  return badRequest('The Host field is not a host name or address with an optional port (RFC 9112, 3.2).');
}

/** Of the codings only `chunked` is implemented, and HTTP/1.0 does not have it (RFC 9112, 6.1). */
function codingRefusal(coding: string | undefined, httpVersion: string): Problem | undefined {
  if (coding === undefined) return undefined;
  if (httpVersion === '1.0')
    return badRequest('A request of HTTP/1.0 must not have a Transfer-Encoding field (RFC 9112, 6.1).');
  return coding.toLowerCase() === 'chunked' ? undefined : problem('unsupported_transfer_coding', { coding });
}

function badRequest(reason: string): Problem {
  return problem('bad_request', { reason });
}
