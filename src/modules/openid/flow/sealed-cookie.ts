import {
  parseCookies,
  Sealer,
  serializeCookie,
  type CookieOptions,
  type Deployment,
  type Request,
} from '../../../framework';

/** Octets of name and value, beyond which browsers ignore a cookie (RFC 6265bis, 5.7). */
const MAX_BYTES = 4_096;

/** Where a cookie applies. */
export interface SealedCookieOptions {
  readonly name: string;
  readonly path: string;
  /** What the cookie belongs to: with another one, such as another issuer, it cannot be opened. */
  readonly owner: string;
}

/** A cookie that only nodes of the deployment can read and write. */
export class SealedCookie<Value extends object> {
  readonly #sealer: () => Sealer;
  readonly #options: SealedCookieOptions;

  constructor(deployment: Deployment, options: SealedCookieOptions) {
    this.#options = options;
    // The keys are those of the deployment when it is first used: all modules are bootstrapped then.
    let sealer: Sealer | undefined;
    this.#sealer = () => (sealer ??= new Sealer(deployment.keys.derive('openid cookies')));
  }

  /** @param options `secure`: for TLS only; `maxAge` in seconds. @returns undefined for a value that is too long */
  set(value: Value, options: Pick<CookieOptions, 'secure' | 'maxAge'>): string | undefined {
    const { name, path } = this.#options;
    const sealed = this.#sealer().seal(JSON.stringify(value), this.#place);
    if (name.length + sealed.length > MAX_BYTES) return undefined;
    return serializeCookie(name, sealed, { ...options, path, sameSite: 'Lax' });
  }

  /** Returns the `Set-Cookie` value that removes it. */
  expired({ secure }: { readonly secure: boolean }): string {
    const { name, path } = this.#options;
    return serializeCookie(name, '', { path, sameSite: 'Lax', secure, maxAge: 0 });
  }

  /** Whether a request has it, valid or not. */
  isIn(request: Request): boolean {
    return parseCookies(request.header('cookie')).has(this.#options.name);
  }

  /**
   * Returns the value; undefined without it, and for several: another host of the domain may have set that of an attacker.
   * Its cookies that cannot be opened, or are not current, are ignored, as they would sign users out.
   * @param isCurrent whether the lifetime of a value has not passed
   */
  read(request: Request, isCurrent: (value: Value) => boolean): Value | undefined {
    const texts = new Set(parseCookies(request.header('cookie')).get(this.#options.name));
    const [value, ...others] = [...texts].flatMap((sealed) => this.#open(sealed) ?? []).filter(isCurrent);
    return others.length > 0 ? undefined : value;
  }

  /** What opens was sealed by a node of the deployment. */
  #open(sealed: string): Value | undefined {
    const text = this.#sealer().open(sealed, this.#place);
    return text === undefined ? undefined : (JSON.parse(text) as Value);
  }

  get #place(): string {
    return `${this.#options.name} ${this.#options.owner}`;
  }
}
