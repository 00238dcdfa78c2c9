import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { listOf, objectOf, ownValue, systemErrorCode, type JsonObject } from '../../framework';
import { readDocument } from '../../modules/documentation-import';
import type { CommandContext } from '../command-context';
import { served } from '../docs/static-server';
import { UsageError } from '../usage-error';
import { DOCUMENTATION, documentUrl, isUrl, scopeOf, type ApiChoice } from './documentation-url';
import { assertSelfContained } from './external-references';
import { fetchDocument, type Credentials } from './fetch-document';
import { resolvableDocument } from './resolvable-document';

export interface DocumentChoice extends ApiChoice {
  /** A URL or the path of a file; undefined for the project. */
  readonly source: string | undefined;
  /** The folder of the project. */
  readonly root: string;
  readonly credentials: Credentials | undefined;
}

/** Options for sources that are not files. */
interface SourceOptions extends Partial<ApiChoice> {
  readonly user?: string | undefined;
}

/** A URL without its scheme, as curl accepts it: `localhost:8080/platform/documentation`. */
const HOST_AND_PATH = /^[\w.-]+(?::\d+(?:\/|$)|\/(?:[^?#]*\/)?platform\/documentation(?:[/?#]|$))/;

/** An OpenAPI document, and where it is from. */
export interface OpenedDocument {
  readonly document: JsonObject;
  /** For people; without queries, which may contain secrets. */
  readonly label: string;
  /** Origin and base path of the server, without a trailing slash; undefined if it is not known. */
  readonly baseUrl: string | undefined;
}

/** @throws UsageError for an option that has no effect on the source */
export function assertEffective(source: string | undefined, { api, version, user }: SourceOptions): void {
  if (source === undefined || isUrl(source)) return;
  const advice = HOST_AND_PATH.test(source) ? schemeAdvice(source) : 'Leave it out.';
  const scope = api !== undefined ? '--api' : version !== undefined ? '--version' : undefined;
  if (scope !== undefined)
    throw new UsageError(`${scope} has no effect on a file, which describes one API. ${advice}`);
  if (user !== undefined)
    throw new UsageError(`--user has no effect on a file, which is read without signing in. ${advice}`);
}

/** @param source a file, or a URL without its scheme */
function schemeAdvice(source: string): string {
  return `If it is a URL, pass http://${source}`;
}

/**
 * Reads an OpenAPI document from a service, from a file, or from a project that is served meanwhile.
 * @throws UsageError for a document that cannot be read @throws ConfigurationError for one that is not OpenAPI
 */
export async function openDocument(choice: DocumentChoice, io: CommandContext): Promise<OpenedDocument> {
  const { source, root, credentials } = choice;
  if (source === undefined) {
    const scope = scopeOf(choice);
    const text = await served(root, io, (base) =>
      fetchDocument(new URL(base + DOCUMENTATION + scope), credentials, true),
    );
    // The port is free after this: the client does not get it.
    return parsed(text, 'the project', undefined);
  }
  if (isUrl(source)) {
    const url = documentUrl(source, choice);
    return parsed(await fetchDocument(url, credentials), url.origin + url.pathname, url);
  }
  return parsed(await textOf(source), source.replaceAll(path.sep, '/'), undefined);
}

function parsed(text: string, label: string, url: URL | undefined): OpenedDocument {
  const document = resolvableDocument(readDocument(text, label));
  assertSelfContained(document, label);
  return { document, label, baseUrl: baseUrlOf(document, url) };
}

/** The first server of the document (OpenAPI 3.1.1, 4.6), which may be relative to the URL of the document. */
function baseUrlOf({ servers }: JsonObject, documentAt: URL | undefined): string | undefined {
  const [first] = listOf(servers);
  const { url: template = '/', variables } = objectOf(first);
  if (typeof template !== 'string') return undefined;
  const url = withDefaults(template, objectOf(variables));
  if (url.includes('{') || !URL.canParse(url, documentAt)) return undefined;
  const { protocol, origin, pathname } = new URL(url, documentAt);
  return ['http:', 'https:'].includes(protocol) ? origin + pathname.replace(/\/+$/, '') : undefined;
}

/** Replaces the variables of a server by their defaults (OpenAPI 3.1.1, 4.8.6). */
function withDefaults(url: string, variables: JsonObject): string {
  return url.replace(/\{([^{}]*)\}/g, (variable, name: string) => {
    const { default: usual } = objectOf(ownValue(variables, name));
    // YAML reads a default without quotes, such as 8443, as a number.
    return typeof usual === 'string' || typeof usual === 'number' ? String(usual) : variable;
  });
}

async function textOf(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    const advice = HOST_AND_PATH.test(file)
      ? schemeAdvice(file)
      : 'Pass the URL of a documentation, or the path of an OpenAPI document.';
    throw new UsageError(`${file} cannot be read: ${systemErrorCode(error)}. ${advice}`, { cause: error });
  });
  if (isUtf8(bytes)) return bytes.toString();
  throw new UsageError(`${file} is not UTF-8 text. Pass an OpenAPI document in JSON or YAML.`);
}
