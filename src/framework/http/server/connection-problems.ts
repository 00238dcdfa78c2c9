import { ConfigurationError } from '../../errors/configuration-error';
import { problem } from '../../problem/errors';
import { Problem } from '../../problem/problem';

/** Why the server cannot listen, for operators. */
export function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const choose = 'Choose another with PORT=<number> or server.port.';
  switch (error.code) {
    case 'EADDRINUSE':
      return new ConfigurationError(`Port ${port} on ${host} is already in use. ${choose}`);
    case 'EACCES':
      return new ConfigurationError(`Port ${port} on ${host} is not permitted for this user. ${choose}`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigurationError(
        `${host} is not an address of this machine. Set HOST or server.host to one that is.`,
      );
    default:
      return new ConfigurationError(`The server cannot listen on ${host}, port ${port}: ${error.message}`, {
        cause: error,
      });
  }
}

/** The client takes too long to send its request. */
export function requestTimeout(): Problem {
  return new Problem(408, 'The request was not complete in time.');
}

const NOT_WELL_FORMED = 'The request is not well-formed HTTP.';

/** What Node's parser refused, as a problem. */
export function clientProblem(error: NodeJS.ErrnoException): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(431, 'The header fields of the request are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return requestTimeout();
    case 'HPE_INVALID_TRANSFER_ENCODING':
      // Beside a length, it is ambiguous where the request ends (RFC 9112, 6.3).
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
