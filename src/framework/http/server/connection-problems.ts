import { ConfigurationError } from '../../errors/configuration-error';
import { problem } from '../../problem/errors';
import { Problem } from '../../problem/problem';

/** Converts an error of `listen` into a message for operators. */
export function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const choose = 'Set another port with PORT=<number> or server.port.';
  switch (error.code) {
    case 'EADDRINUSE':
      return new ConfigurationError(`Port ${port} on ${host} is already in use. ${choose}`);
    case 'EACCES':
      return new ConfigurationError(
        `Port ${port} on ${host} requires privileges that this user does not have. ${choose}`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigurationError(
        `${host} is not an address of this machine. Set HOST or server.host to one of its addresses.`,
      );
    default:
      return new ConfigurationError(`The server cannot listen on ${host}, port ${port}: ${error.message}`, {
        cause: error,
      });
  }
}

/** The problem for a client that takes too long to send its request. */
export function requestTimeout(): Problem {
  return new Problem(408, 'The request was not received completely within the time limit.');
}

const NOT_WELL_FORMED = 'The request is not well-formed HTTP.';

/** Converts an error of Node's HTTP parser into a problem. */
export function clientProblem(error: NodeJS.ErrnoException): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(431, 'The header fields of the request are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return requestTimeout();
    case 'HPE_INVALID_TRANSFER_ENCODING':
      // With Content-Length too, the end of the request is ambiguous (RFC 9112, 6.3).
      return /content-length/i.test(String(Reflect.get(error, 'reason')))
        ? new Problem(400, NOT_WELL_FORMED)
        : problem('unsupported_transfer_coding', {});
    case 'HPE_INVALID_VERSION':
    case 'HPE_PAUSED_H2_UPGRADE':
      return problem('http_version_not_supported', {});
    default:
      return new Problem(400, NOT_WELL_FORMED);
  }
}
