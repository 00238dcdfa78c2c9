import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { clientCertificateOf, setClientCertificate, type ClientCertificate } from '../../framework';

/** The header field that describes the client of a forwarded request. */
export const CLIENT_FIELD = 'x-apidesc-worker-client';

/** The connection of the client to the worker. */
interface ForwardedClient {
  readonly secret: string;
  readonly address: string;
  readonly port: number;
  readonly isEncrypted: boolean;
  readonly certificate?: ClientCertificate;
}

/** Returns the value of {@link CLIENT_FIELD}. */
export function describeClient(message: IncomingMessage, secret: string): string {
  const { remoteAddress: address = '', remotePort: port = 0 } = message.socket;
  const certificate = clientCertificateOf(message);
  const client: ForwardedClient = {
    secret,
    address,
    port,
    isEncrypted: 'encrypted' in message.socket,
    ...(certificate === undefined ? {} : { certificate }),
  };
  return Buffer.from(JSON.stringify(client)).toString('base64url');
}

/**
 * Gives the connection of a forwarded request the properties of the client's connection, and removes the field.
 * @returns false for a request that no worker has forwarded
 */
export function assumeClient(message: IncomingMessage, secret: string): boolean {
  const client = readClient(message.headers[CLIENT_FIELD]);
  if (client === undefined || !isEqual(client.secret, secret)) return false;
  const { socket, headers, rawHeaders } = message;
  headers[CLIENT_FIELD] = undefined;
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === CLIENT_FIELD);
  rawHeaders.splice(at, 2);
  Object.defineProperty(socket, 'remoteAddress', { value: client.address });
  Object.defineProperty(socket, 'remotePort', { value: client.port });
  if (client.isEncrypted) Object.defineProperty(socket, 'encrypted', { value: true });
  if (client.certificate !== undefined) {
    const { validTo, ...rest } = client.certificate;
    setClientCertificate(socket, Object.freeze({ ...rest, validTo: new Date(validTo) }));
  }
  return true;
}

function readClient(field: string | readonly string[] | undefined): ForwardedClient | undefined {
  if (typeof field !== 'string') return undefined;
  try {
    const client = JSON.parse(Buffer.from(field, 'base64url').toString()) as unknown;
    // Only the secret is unknown so far; with it, the text is from `describeClient`.
    return typeof client === 'object' && client !== null && 'secret' in client
      ? (client as ForwardedClient)
      : undefined;
  } catch {
    return undefined;
  }
}

function isEqual(given: unknown, secret: string): boolean {
  const [a, b] = [Buffer.from(String(given)), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}
