import { ConfigurationError } from '../../errors/configuration-error';
import { incompleteBody } from '../body';
import { problem } from '../../problem/errors';
import type { HeadLimits } from '../limits/request-framing';
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

const NOT_WELL_FORMED = 'The request is not well-formed HTTP.';

/** Both fields leave the end of the request ambiguous. */
const TWO_FRAMINGS = 'A request must not have both Content-Length and Transfer-Encoding (RFC 9112, 6.3).';

/** A request line with any method, in either version of HTTP that the server supports. */
const REQUEST_LINE = /^([!#$%&'*+.^`|~\w-]+) [^\s]+ HTTP\/1\.[01]\r?$/;

/** An error of Node's HTTP parser. */
interface ParserError extends NodeJS.ErrnoException {
  readonly reason?: string;
  /** The bytes that were being parsed, which may start within a request. */
  readonly rawPacket?: Buffer;
  /** Where in these bytes the error was found. */
  readonly bytesParsed?: number;
}

/** A request line without its end, from its method on. */
const UNFINISHED_LINE = /^\r?\n?[!#$%&'*+.^`|~\w-]+ [^\s]*$/;

/** Whether the bytes of a header section that is too large are those of a request line. */
function isRequestLine({ rawPacket, bytesParsed = 0 }: ParserError): boolean {
  return UNFINISHED_LINE.test(rawPacket?.toString('latin1', 0, bytesParsed) ?? '');
}

/** The parser's error when a connection ends in the middle of a request. */
export const END_OF_CONNECTION = 'HPE_INVALID_EOF_STATE';

/**
 * Converts an error of Node's HTTP parser into a problem.
 * @param isBody whether the error occurred after the header section of a request
 */
export function clientProblem(error: ParserError, limits: HeadLimits, isBody: boolean): Problem {
  const { code, reason = '' } = error;
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return isRequestLine(error)
        ? problem('request_line_too_long', { limit: limits.maxRequestLine })
        : problem('header_section_too_large', { limit: limits.maxHeaderSize });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem('request_timeout', {});
    case 'HPE_INVALID_METHOD':
    case 'HPE_INVALID_CONSTANT':
      return methodProblem(error);
    case 'HPE_INVALID_TRANSFER_ENCODING':
      return /content-length/i.test(reason)
        ? badRequest(TWO_FRAMINGS)
        : problem('unsupported_transfer_coding', {});
    case 'HPE_INVALID_CONTENT_LENGTH':
    case 'HPE_UNEXPECTED_CONTENT_LENGTH':
      return badRequest(contentLengthReason(reason));
    case 'HPE_INVALID_HEADER_TOKEN':
      return badRequest('A header field has an invalid name or value (RFC 9110, 5.1 and 5.5).');
    case 'HPE_INVALID_URL':
      return badRequest(
        'The request target is not a path or a URL, or has a character that must be percent-encoded (RFC 3986, 2.1).',
      );
    case 'HPE_INVALID_VERSION':
      // Known, but followed by something else.
      return reason.includes('CRLF')
        ? badRequest('The request line does not end with CR LF after the version (RFC 9112, 2.2 and 3).')
        : problem('http_version_not_supported', {});
    case 'HPE_PAUSED_H2_UPGRADE':
      return problem('http_version_not_supported', {});
    case END_OF_CONNECTION:
      return isBody
        ? incompleteBody(error)
        : badRequest('The connection ended before the header section was complete.');
    default:
      return badRequest(NOT_WELL_FORMED);
  }
}

/**
 * An unknown method in a valid request line is not implemented (RFC 9110, 9.1); other bytes are not HTTP. Node reports
 * methods of RTSP, which its parser knows, as an invalid constant.
 */
function methodProblem({ rawPacket, bytesParsed = 0 }: ParserError): Problem {
  const text = rawPacket?.toString('latin1') ?? '';
  const [line = ''] = text.slice(text.lastIndexOf('\n', bytesParsed - 1) + 1).split('\n', 1);
  const method = REQUEST_LINE.exec(line)?.[1];
  return method === undefined ? badRequest(NOT_WELL_FORMED) : problem('method_not_implemented', { method });
}

function contentLengthReason(reason: string): string {
  if (/transfer-encoding/i.test(reason)) return TWO_FRAMINGS;
  return /duplicate/i.test(reason)
    ? 'The request has more than one Content-Length field line (RFC 9110, 8.6).'
    : 'Content-Length is not a number of bytes (RFC 9110, 8.6).';
}

function badRequest(detail: string): Problem {
  return new Problem(400, detail);
}
