import { ConfigurationError } from '../../../framework';

/** Where the operations port listens. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

const ADDRESS = /^(?:\[([0-9A-Fa-f:.%]+)\]|([^:[\]\s]+)):(\d{1,5})$/;
const MAX_PORT = 65_535;

/**
 * Parses `127.0.0.1:9464`, `[::1]:9464` or `localhost:0`; `off` is undefined.
 * @param where returns the source of the text, for messages
 * @throws ConfigurationError for any other text
 */
export function parseListenAddress(text: string, where: () => string): ListenAddress | undefined {
  if (text === 'off') return undefined;
  const [, bracketed, name, digits] = ADDRESS.exec(text) ?? [];
  const host = bracketed ?? name;
  const port = Number(digits);
  if (host === undefined || port > MAX_PORT)
    throw new ConfigurationError(
      `${where()}: "${text}" is not an address. Write HOST:PORT, such as 127.0.0.1:9464 or [::1]:9464 (port 0 for any free one), or "off".`,
    );
  return { host, port };
}
