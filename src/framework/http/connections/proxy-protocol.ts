import { isIP } from 'node:net';

/** The client of a connection, as the proxy in front saw it. */
export interface ProxiedClient {
  readonly address: string;
  readonly port: number;
}

/** The result of parsing the first bytes of a connection. */
export type ProxyHeader =
  /** More bytes are needed. */
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'malformed'; readonly reason: string }
  /** `client` is undefined if the proxy names none: its health checks, and clients without an IP address. */
  | { readonly kind: 'header'; readonly length: number; readonly client: ProxiedClient | undefined };

const INCOMPLETE = { kind: 'incomplete' } as const;

const V1_START = Buffer.from('PROXY ', 'latin1');
/** The maximum length of a line of version 1, with its line break. */
const V1_MAX_LENGTH = 107;
const V1 = /^PROXY (?:(TCP4|TCP6) ([^ ]+) ([^ ]+) (0|[1-9]\d{0,4}) (0|[1-9]\d{0,4})|UNKNOWN(?: .*)?)$/;

const V2_SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
const V2_FIXED_LENGTH = 16;
/** The maximum length of addresses and additional data (TLV) that is accepted: HAProxy and AWS send far less. */
const V2_MAX_LENGTH = 8_192;

/** Bytes of the addresses by family: unspecified, IPv4, IPv6, UNIX. */
const V2_ADDRESS_LENGTHS = [0, 12, 36, 216] as const;

/**
 * Parses the header of the PROXY protocol, versions 1 and 2, at the start of a connection. Strict: whatever is not in
 * the specification (https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt, 2.1 and 2.2) is malformed, as early
 * as it is seen.
 */
export function parseProxyHeader(bytes: Buffer): ProxyHeader {
  if (startsLike(bytes, V2_SIGNATURE)) return parseV2(bytes);
  if (startsLike(bytes, V1_START)) return parseV1(bytes);
  return malformed('The connection does not begin with a header of the PROXY protocol');
}

/** Whether bytes begin with a text, as far as they were received. */
function startsLike(bytes: Buffer, text: Buffer): boolean {
  const length = Math.min(bytes.length, text.length);
  return bytes.compare(text, 0, length, 0, length) === 0;
}

function parseV1(bytes: Buffer): ProxyHeader {
  const end = bytes.subarray(0, V1_MAX_LENGTH).indexOf('\r\n');
  if (end < 0) {
    return bytes.length >= V1_MAX_LENGTH ? malformed('The line is longer than 107 bytes') : INCOMPLETE;
  }
  const found = V1.exec(bytes.toString('latin1', 0, end));
  if (found === null) return malformed('The line of version 1 is malformed');
  const [, family, source = '', destination = '', sourcePort = '', destinationPort = ''] = found;
  const length = end + 2;
  if (family === undefined) return { kind: 'header', length, client: undefined };
  const version = family === 'TCP4' ? 4 : 6;
  const areAddresses = isIP(source) === version && isIP(destination) === version;
  if (!areAddresses || Number(sourcePort) > 65_535 || Number(destinationPort) > 65_535)
    return malformed('An address or port of version 1 is invalid');
  return { kind: 'header', length, client: { address: source, port: Number(sourcePort) } };
}

function parseV2(bytes: Buffer): ProxyHeader {
  const [versionAndCommand, familyAndTransport] = [bytes[12], bytes[13]];
  if (versionAndCommand === undefined) return INCOMPLETE;
  if (versionAndCommand !== 0x20 && versionAndCommand !== 0x21)
    return malformed('The version or command is unknown');
  if (familyAndTransport === undefined) return INCOMPLETE;
  const [family, transport] = [familyAndTransport >> 4, familyAndTransport & 0xf];
  const addressLength = V2_ADDRESS_LENGTHS[family];
  if (addressLength === undefined || transport > 2 || (family === 0) !== (transport === 0))
    return malformed('The address family or transport protocol is unknown');
  if (bytes.length < V2_FIXED_LENGTH) return INCOMPLETE;
  const rest = bytes.readUInt16BE(14);
  if (rest > V2_MAX_LENGTH) return malformed(`The header is longer than ${V2_MAX_LENGTH} bytes`);
  const isProxied = versionAndCommand === 0x21;
  if (isProxied && rest < addressLength) return malformed('The header is too short for its addresses');
  const length = V2_FIXED_LENGTH + rest;
  if (bytes.length < length) return INCOMPLETE;
  return { kind: 'header', length, client: isProxied ? clientOfV2(bytes, family) : undefined };
}

function clientOfV2(bytes: Buffer, family: number): ProxiedClient | undefined {
  if (family === 1) {
    const address = [...bytes.subarray(16, 20)].join('.');
    return { address, port: bytes.readUInt16BE(24) };
  }
  if (family !== 2) return undefined;
  return { address: formatIPv6(bytes.subarray(16, 32)), port: bytes.readUInt16BE(48) };
}

/** In the canonical form (RFC 5952), except that IPv4-mapped addresses are plain IPv4 addresses. */
function formatIPv6(bytes: Buffer): string {
  const isMapped = bytes.readUInt16BE(10) === 0xffff && bytes.subarray(0, 10).every((byte) => byte === 0);
  if (isMapped) return [...bytes.subarray(12)].join('.');
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(2 * at).toString(16));
  // The URL parser writes the canonical form.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

function malformed(reason: string): ProxyHeader {
  return { kind: 'malformed', reason };
}
