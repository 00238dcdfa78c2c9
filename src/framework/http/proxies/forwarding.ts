import { HOST } from '../fields';
import { addressOfNode, parseForwarded, type ForwardedElement } from './forwarded';
import type { Trust } from './trust';

/** The fields that `server.forwarding_fields` may list. */
export const FORWARDING_FIELDS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-prefix',
] as const;

export type ForwardingField = (typeof FORWARDING_FIELDS)[number];

/** Which proxies are trusted, and which of their fields: they replace or remove these, and pass others through. */
export interface ForwardingRules {
  readonly trust: Trust;
  readonly fields: ReadonlySet<ForwardingField>;
  /** The scheme of `server.public_url`, for requests of proxies that name none. */
  readonly publicScheme?: 'http' | 'https' | undefined;
}

/** A request as the server received it. */
export interface ReceivedRequest {
  /** The address of the connection's other end. */
  readonly peer: string;
  readonly isEncrypted: boolean;
  /** Returns all lines of a field, in the order received. @param name in lower case */
  lines(name: ForwardingField): readonly string[];
}

/** The request as its client sent it, as far as trusted proxies tell. */
export interface ForwardedRequest {
  readonly address: string;
  /** Whether a trusted proxy did not name the client, so that `address` is the proxy's. */
  readonly isAddressUnknown: boolean;
  readonly scheme: 'http' | 'https';
  /** Undefined if no trusted proxy names it: the request's own is the client's. */
  readonly host: string | undefined;
  /** The path prefix that proxies removed, such as `/gateway`; may be empty. */
  readonly prefix: string;
}

/** `/gateway`, `/a/b`: the characters of `server.base_url`. */
const PREFIX = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+$/;

/**
 * Determines what the client sent, from the connection and from the fields of trusted proxies. Entries are read from
 * right to left, as far as trusted proxies wrote them: anyone can send the rest. Values of the wrong form count as
 * missing. Pure.
 */
export function resolveForwarding(request: ReceivedRequest, rules: ForwardingRules): ForwardedRequest {
  const { peer, isEncrypted } = request;
  const scheme = isEncrypted ? 'https' : 'http';
  if (peer === '' || !rules.trust(peer, 0))
    return { address: peer, isAddressUnknown: false, scheme, host: undefined, prefix: '' };
  const told = rules.fields.has('forwarded') ? fromForwarded(request, rules) : fromExtensions(request, rules);
  return { ...told, scheme: told.scheme ?? (isEncrypted ? 'https' : (rules.publicScheme ?? 'http')) };
}

type Told = Omit<ForwardedRequest, 'scheme'> & { readonly scheme: 'http' | 'https' | undefined };

/** `Forwarded` (RFC 7239). The element of the outermost trusted proxy describes the client's request. */
function fromForwarded(request: ReceivedRequest, { trust }: ForwardingRules): Told {
  // Lines are parsed one by one: a malformed one, from a client, does not hide those of proxies.
  const elements = request
    .lines('forwarded')
    .flatMap((line): readonly (ForwardedElement | undefined)[] => parseForwarded(line) ?? [undefined]);
  const nodes = elements.map((element) => element?.parameters.get('for'));
  const { address, isAddressUnknown, entries } = walk(request.peer, nodes, trust);
  const outermost = elements[elements.length - entries]?.parameters;
  return {
    address,
    isAddressUnknown,
    scheme: schemeOf(outermost?.get('proto')),
    host: hostOf(outermost?.get('host')),
    prefix: '',
  };
}

/** The `X-Forwarded` fields. A shorter list than that of addresses has an entry of the outermost proxies only. */
function fromExtensions(request: ReceivedRequest, { trust, fields }: ForwardingRules): Told {
  const listOf = (name: ForwardingField): readonly string[] =>
    fields.has(name)
      ? request
          .lines(name)
          .join(',')
          .split(',')
          .map((entry) => entry.trim())
          .filter((entry) => entry !== '')
      : [];
  const { address, isAddressUnknown, entries } = walk(request.peer, listOf('x-forwarded-for'), trust);
  const entryOf = (name: ForwardingField): string | undefined => {
    const list = listOf(name);
    return list[Math.max(0, list.length - Math.max(1, entries))];
  };
  return {
    address,
    isAddressUnknown,
    scheme: schemeOf(entryOf('x-forwarded-proto')),
    host: hostOf(entryOf('x-forwarded-host')),
    prefix: prefixOf(entryOf('x-forwarded-prefix')),
  };
}

interface Walk {
  readonly address: string;
  readonly isAddressUnknown: boolean;
  /** How many entries trusted proxies wrote. */
  readonly entries: number;
}

/** Reads nodes from right to left, up to the first address that is not a trusted proxy: the client's. */
function walk(peer: string, nodes: readonly (string | undefined)[], trust: Trust): Walk {
  let address = peer;
  let entries = 0;
  while (entries < nodes.length && trust(address, entries)) {
    entries++;
    const next = addressOfNode(nodes[nodes.length - entries] ?? '');
    if (next === undefined) return { address, isAddressUnknown: true, entries };
    address = next;
  }
  return { address, isAddressUnknown: nodes.length === 0, entries };
}

function schemeOf(value: string | undefined): 'http' | 'https' | undefined {
  const scheme = value?.toLowerCase();
  return scheme === 'http' || scheme === 'https' ? scheme : undefined;
}

function hostOf(value: string | undefined): string | undefined {
  return value !== undefined && HOST.test(value) ? value : undefined;
}

function prefixOf(value: string | undefined): string {
  const prefix = value?.replace(/\/$/, '') ?? '';
  return PREFIX.test(prefix) ? prefix : '';
}
