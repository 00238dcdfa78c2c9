import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket, type DetailedPeerCertificate, type PeerCertificate } from 'node:tls';

/** The certificate of a client, which an authority in `server.tls.client_certificates.ca` issued. */
export interface ClientCertificate {
  /** By attribute, e.g. `{ CN: 'ada', O: 'Example' }`; repeated attributes are lists. */
  readonly subject: CertificateName;
  readonly issuer: CertificateName;
  /** The alternative names, e.g. `DNS:ada.example, email:ada@example.com`. */
  readonly alternativeNames: string | undefined;
  readonly serialNumber: string;
  /** SHA-256 of the certificate, as hexadecimal digits in pairs: `AB:CD:…`. */
  readonly fingerprint: string;
  readonly validTo: Date;
}

/** The attributes of a subject or an issuer, such as `CN`; a list has the values of a repeated one. */
export type CertificateName = Readonly<Record<string, string | readonly string[]>>;

/** By connection, since all of its requests have the same. */
const certificates = new WeakMap<Socket, ClientCertificate | null>();

/** Returns the verified certificate of a request's client; undefined without one, and without TLS. */
export function clientCertificateOf({ socket }: IncomingMessage): ClientCertificate | undefined {
  let certificate = certificates.get(socket);
  if (certificate === undefined) {
    if (!(socket instanceof TLSSocket)) return undefined;
    certificate = socket.authorized ? toClientCertificate(socket.getPeerCertificate()) : null;
    certificates.set(socket, certificate);
  }
  return certificate ?? undefined;
}

/** Sets the certificate of the client whose requests another process passes on over this connection. */
export function setClientCertificate(socket: Socket, certificate: ClientCertificate): void {
  certificates.set(socket, certificate);
}

function toClientCertificate(peer: PeerCertificate | DetailedPeerCertificate): ClientCertificate | null {
  // Without a certificate, the object is empty.
  if (Object.keys(peer).length === 0) return null;
  return Object.freeze({
    subject: nameOf(peer.subject),
    issuer: nameOf(peer.issuer),
    alternativeNames: peer.subjectaltname,
    serialNumber: peer.serialNumber,
    fingerprint: peer.fingerprint256,
    validTo: new Date(peer.valid_to),
  });
}

/** Node's object has no prototype, and its types promise less than there may be. */
function nameOf(name: object): CertificateName {
  return Object.freeze(Object.fromEntries(Object.entries(name)));
}
