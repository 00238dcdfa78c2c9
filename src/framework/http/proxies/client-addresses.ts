import type { IncomingMessage } from 'node:http';
import { headerLines } from '../fields';
import {
  resolveForwarding,
  type ForwardedRequest,
  type ForwardingField,
  type ForwardingRules,
} from './forwarding';
import { compileTrust, type Trust } from './trust';

/** Fields that proxies add to forwarded requests. */
const FORWARDING = ['x-forwarded-for', 'forwarded', 'via'] as const;

/** The fields that the common proxies replace when they are configured to. */
const DEFAULT_FORWARDING_FIELDS: readonly ForwardingField[] = ['x-forwarded-for', 'x-forwarded-proto'];

export interface ForwardingOptions {
  /** The fields of trusted proxies; defaults to `X-Forwarded-For` and `X-Forwarded-Proto`. */
  readonly fields?: readonly ForwardingField[];
  /** The scheme of requests whose proxy names none. */
  readonly publicScheme?: 'http' | 'https' | undefined;
}

/**
 * Determines the clients of forwarded requests. Forwarding fields are used only as far as trusted proxies wrote them:
 * anyone can send them.
 */
export class ClientAddresses {
  readonly #trust: Trust | undefined;
  readonly #rules: ForwardingRules | undefined;

  /**
   * @param trusted networks such as `10.0.0.0/8`, the names `loopback`, `linklocal` and `uniquelocal`, or the number
   * of
   *   proxies in front of the service
   * @throws RangeError for an invalid network
   */
  constructor(trusted: readonly string[] | number = [], options: ForwardingOptions = {}) {
    const { fields = DEFAULT_FORWARDING_FIELDS, publicScheme } = options;
    this.#trust = compileTrust(trusted);
    if (this.#trust !== undefined)
      this.#rules = { trust: this.#trust, fields: new Set(fields), publicScheme };
  }

  /** Returns the request as its client sent it. */
  resolve(message: IncomingMessage): ForwardedRequest {
    const peer = message.socket.remoteAddress ?? '';
    const isEncrypted = 'encrypted' in message.socket;
    if (this.#rules === undefined) {
      const scheme = isEncrypted ? 'https' : 'http';
      return { address: peer, isAddressUnknown: false, scheme, host: undefined, prefix: '' };
    }
    const lines = (name: ForwardingField): readonly string[] =>
      message.headers[name] === undefined ? [] : headerLines(message.rawHeaders, name);
    return resolveForwarding({ peer, isEncrypted, lines }, this.#rules);
  }

  /** Returns the client's network address; empty if the connection is already closed. */
  of(message: IncomingMessage): string {
    return this.#rules === undefined ? (message.socket.remoteAddress ?? '') : this.resolve(message).address;
  }

  /** Returns whether a peer is a trusted proxy, whose connections carry the requests of many clients. */
  isProxy(peer: string): boolean {
    return this.#trust?.(peer, 0) === true;
  }

  /** Returns whether the request was forwarded by an untrusted proxy, or without a client address. */
  isUnknown(message: IncomingMessage): boolean {
    if (FORWARDING.every((name) => message.headers[name] === undefined)) return false;
    return !this.isProxy(message.socket.remoteAddress ?? '') || this.resolve(message).isAddressUnknown;
  }
}
