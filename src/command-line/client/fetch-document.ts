import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '../../framework';
import type * as Client from '../../client';
import { UsageError } from '../usage-error';
import { DOCUMENTATION } from './documentation-url';

/** OpenAPI as this platform names it. */
const OPENAPI = 'application/vnd.apidesc+json, application/vnd.oai.openapi+json;q=0.9';

/** As others name it; the JSON of the documentation of this platform is something else. */
const OTHERS = 'application/json;q=0.5, application/yaml;q=0.5';

/** The module that describes APIs with OpenAPI. */
const OPENAPI_MODULE = 'documentation-apidesc';

const TIMEOUT_MS = 30_000;

/** In bytes; descriptions of APIs are smaller. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The documentation of a project, which is served meanwhile, in messages: its URL is of no use afterwards. */
const PROJECT = 'The documentation of the project';

/** The entry point for applications, which is an ES module. */
const CLIENT = path.join(__dirname, '../../client/index.mjs');

/**
 * Fetches the text of an OpenAPI document.
 * @param credentials for Digest or Basic, if the server asks for them
 * @param isProject whether the server is that of the project, for messages
 * @throws UsageError if the server is unreachable or responds with another status than 200, and for a body that is too large
 */
export async function fetchDocument(
  url: URL,
  credentials: Credentials | undefined,
  isProject = false,
): Promise<string> {
  const { createFetch } = (await import(pathToFileURL(CLIENT).href)) as typeof Client;
  const send = credentials === undefined ? fetch : createFetch(credentials);
  const shown = isProject ? PROJECT : url.href;
  const response = await send(url, {
    headers: { accept: url.pathname.includes(DOCUMENTATION) ? OPENAPI : `${OPENAPI}, ${OTHERS}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    const advice = isProject
      ? 'Check the modules of the project'
      : 'Start the service, or pass the URL of a running one';
    throw new UsageError(`${shown} is unreachable: ${reasonOf(error)}. ${advice}.`, { cause: error });
  });
  const text = await textOf(response, shown);
  if (response.status === 200) return text;
  const fallback = isProject
    ? `Pass --api with an API of the project, whose modules need "${OPENAPI_MODULE}".`
    : `Pass the URL of the documentation, such as ${url.origin}${DOCUMENTATION}.`;
  const hint = hintFor(response.status, credentials) ?? fallback;
  throw new UsageError(`${shown} responds ${response.status}${detailOf(text)} ${hint}`);
}

/** @param shown the document, in messages */
async function textOf(response: Response, shown: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const body: AsyncIterable<Uint8Array> = response.body ?? new Blob().stream();
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > MAX_BYTES) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw new UsageError(`${shown} did not send the whole document: ${reasonOf(error)}. Try again.`, {
      cause: error,
    });
  }
  if (length > MAX_BYTES)
    throw new UsageError(
      `${shown} sends more than ${MAX_BYTES / 1024 / 1024} MB: this is not an OpenAPI document. Pass the URL of one.`,
    );
  return Buffer.concat(chunks).toString();
}

/** Node's message is "fetch failed"; its cause has the reason. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no response within ${TIMEOUT_MS / 1000} seconds`;
  const { cause } = error;
  // Several addresses of a host: an error without a message.
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  const message = cause instanceof Error && cause.message !== '' ? cause.message : undefined;
  return message ?? (typeof code === 'string' ? code : error.message);
}

/** The `detail` of a problem (RFC 9457), as part of a message. */
function detailOf(text: string): string {
  try {
    const problem: unknown = JSON.parse(text);
    if (isObject(problem) && typeof problem.detail === 'string')
      return `: ${problem.detail.replace(/[^.!?]$/, '$&.')}`;
  } catch {
    // Another server than the platform.
  }
  return '.';
}

function hintFor(status: number, credentials: Credentials | undefined): string | undefined {
  if (status === 401)
    return credentials === undefined
      ? 'Sign in with --user <name>.'
      : `The name "${credentials.username}" or the password is wrong, or the server supports neither Digest nor Basic.`;
  if (status === 403) return 'Pass a --user <name> who may read the documentation.';
  if (status === 406)
    return `The service does not describe its APIs with OpenAPI: add "${OPENAPI_MODULE}" to the modules in config/application.json.`;
  return undefined;
}
