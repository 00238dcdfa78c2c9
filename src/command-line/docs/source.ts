import { objectOf, describeValue } from '../../framework';
import { UsageError } from '../usage-error';
import { operationsOf, type DocumentedOperation } from './documented-calls';

const DOCUMENTATION = '/platform/documentation';
const JSON_TYPE = 'application/json';
const OPENAPI = 'application/vnd.apidesc+json';

const HINT =
  'Pass the origin and base path of a running service of this platform, such as --origin http://localhost:8080/api.';

/**
 * Reads the documentation of a running service, as a guest.
 * @param base origin and base path of the service
 */
export class DocsSource {
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  /**
   * Returns the operations of every version of every API, in the order of the list.
   * @throws UsageError if the service is unreachable, serves no documentation, or documents no operation
   */
  async operations(): Promise<readonly DocumentedOperation[]> {
    const found: DocumentedOperation[] = [];
    for (const scope of await this.#scopes()) found.push(...(await this.#operationsOf(scope)));
    if (found.length > 0) return found;
    throw new UsageError(
      `${this.#base}${DOCUMENTATION} documents no operation that guests may read, so there is nothing to check. Host an API, or check another service with --origin.`,
    );
  }

  async #scopes(): Promise<readonly string[]> {
    const address = this.#base + DOCUMENTATION;
    const list = await read(address, JSON_TYPE);
    const scopes = Array.isArray(list) ? list.map(scopesOf) : [undefined];
    if (scopes.includes(undefined)) throw foreign(address, `${describeValue(list)}, not with a list of APIs`);
    return scopes.flatMap((some) => some ?? []);
  }

  async #operationsOf(scope: string): Promise<readonly DocumentedOperation[]> {
    const address = `${this.#base}${DOCUMENTATION}/${scope}`;
    const document = objectOf(await read(address, OPENAPI));
    if (typeof document.openapi === 'string') return operationsOf(document);
    throw foreign(address, 'a body that is not an OpenAPI document');
  }
}

/** @returns undefined for an invalid entry of the list */
function scopesOf(entry: unknown): readonly string[] | undefined {
  const { name, versions } = objectOf(entry);
  if (typeof name !== 'string' || !Array.isArray(versions)) return undefined;
  return versions.map((version) => encodeURIComponent(`${name}-v${String(version)}`));
}

async function read(address: string, accept: string): Promise<unknown> {
  const answer = await fetched(address, { headers: { accept } });
  const text = await answer.text();
  if (answer.status !== 200) {
    throw new UsageError(
      `${address} responds ${answer.status}: the check reads the documentation as a guest, as ${accept}. ${HINT}`,
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    throw foreign(address, `${answer.headers.get('content-type') ?? 'no type'}, ${describeValue(text)}`);
  }
}

function foreign(address: string, found: string): UsageError {
  return new UsageError(
    `${address} responds with ${found}: this is not the documentation of this platform. ${HINT}`,
  );
}

/** @throws UsageError if the service is unreachable */
export async function fetched(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    throw new UsageError(`${address} is unreachable. Start the service, or pass its --origin.`, {
      cause: error,
    });
  }
}
