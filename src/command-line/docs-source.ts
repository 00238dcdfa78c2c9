import { StartError, whatIs } from '../framework';
import { operationsOf, treeOf, type DocumentedOperation } from './docs-call';

const DOCUMENTATION = '/platform/documentation';
const JSON_TYPE = 'application/json';
const OPENAPI = 'application/vnd.apidesc+json';

const MENDING =
  'Give the origin of a service of the platform, with its base path, such as --origin http://localhost:8080/api.';

/**
 * The documentation of a service that runs, as guests may read it.
 * @param base origin and base path of the service
 */
export class DocsSource {
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  /**
   * The operations of every version of every API, in the order of the list.
   * @throws StartError where nothing answers, or what answers is no documentation, or one that holds no operation
   */
  async operations(): Promise<readonly DocumentedOperation[]> {
    const found: DocumentedOperation[] = [];
    for (const scope of await this.#scopes()) found.push(...(await this.#operationsOf(scope)));
    if (found.length > 0) return found;
    throw new StartError(
      `${this.#base}${DOCUMENTATION} documents no operation that guests may read: there is nothing to check. Host an API, or check a service that has one (--origin).`,
    );
  }

  async #scopes(): Promise<readonly string[]> {
    const address = this.#base + DOCUMENTATION;
    const list = await read(address, JSON_TYPE);
    const scopes = Array.isArray(list) ? list.map(scopesOf) : [undefined];
    if (scopes.includes(undefined)) throw foreign(address, `${whatIs(list)}, not with a list of APIs`);
    return scopes.flatMap((some) => some ?? []);
  }

  async #operationsOf(scope: string): Promise<readonly DocumentedOperation[]> {
    const address = `${this.#base}${DOCUMENTATION}/${scope}`;
    const document = treeOf(await read(address, OPENAPI));
    if (typeof document.openapi === 'string') return operationsOf(document);
    throw foreign(address, 'what is no OpenAPI document');
  }
}

/** @returns undefined for what is no entry of the list */
function scopesOf(entry: unknown): readonly string[] | undefined {
  const { name, versions } = treeOf(entry);
  if (typeof name !== 'string' || !Array.isArray(versions)) return undefined;
  return versions.map((version) => encodeURIComponent(`${name}-v${String(version)}`));
}

async function read(address: string, accept: string): Promise<unknown> {
  const answer = await fetched(address, { headers: { accept } });
  const text = await answer.text();
  if (answer.status !== 200) {
    throw new StartError(
      `${address} answers ${answer.status}: what is checked is what guests may read, as ${accept}. ${MENDING}`,
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    throw foreign(address, `${answer.headers.get('content-type') ?? 'no type'}, ${whatIs(text)}`);
  }
}

function foreign(address: string, found: string): StartError {
  return new StartError(
    `${address} answers with ${found}: that is no documentation of the platform. ${MENDING}`,
  );
}

/** @throws StartError where nothing answers */
export async function fetched(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    throw new StartError(`Nothing answers at ${address}. Start the service, or name its --origin.`, {
      cause: error,
    });
  }
}
