import {
  escapeReferences,
  type JsonObject,
  listOf,
  objectOf,
  isObject,
  type ConfigObject,
  type ConfigValue,
} from '../../framework';
import { childPointer, textOf } from './document/json';
import { ImportWarnings } from './import-warnings';
import { warnAboutShapes } from './document/shape-checker';
import { readDocument } from './document/read-document';
import { DocumentReferences } from './document/references';
import { SchemaConverter } from './schemas/schema-converter';
import { importServices } from './services';
import { warnAboutValues } from './document/values';

export { readDocument } from './document/read-document';

/** The configuration of an API (`platform-hosting.apis.<name>`), and warnings about what it does not contain. */
export interface ImportedApi {
  readonly api: ConfigObject;
  readonly services: number;
  readonly operations: number;
  /** One line for each kind of warning, with its first locations. */
  readonly warnings: readonly string[];
  /** Returns the same with all locations, which are too long for a string in a huge document. */
  readonly report: () => Iterable<string>;
}

/** Members of a document without a counterpart in the platform. */
const UNSUPPORTED_MEMBERS: readonly (readonly [name: string, what: string])[] = [
  ['webhooks', 'webhooks'],
  ['externalDocs', '"externalDocs" of the document'],
];

/**
 * Converts an OpenAPI 3.0 or 3.1 document to a documented API. Its operations respond 501 until a handler is configured.
 * @param source JSON or YAML text, and the file name for messages
 * @param earlierNames the names of services that are replaced, by route: they are kept
 * @throws ConfigurationError for other documents, and for a used `$ref` that is external, unresolvable or circular
 */
export function importOpenapi(
  source: { readonly text: string; readonly name: string },
  version: number,
  earlierNames: ReadonlyMap<string, string> = new Map(),
): ImportedApi {
  const document = readDocument(source.text, source.name);
  const warnings = new ImportWarnings();
  const references = new DocumentReferences(document, source.name);
  const context = {
    references,
    warnings,
    schemas: new SchemaConverter(references, warnings, source.name),
    operationIds: new Set<string>(),
  };
  warnAboutUnsupported(document, version, warnings);
  warnAboutShapes(document, warnings);
  warnAboutValues(document, warnings);
  const services = importServices(document, context, earlierNames);
  const operations = Object.values(services).reduce(
    (count, { methods }) => count + Object.keys(objectOf(methods)).length,
    0,
  );
  const info = apiMembers(objectOf(document.info), warnings);
  const schemas = context.schemas.shared();
  context.schemas.warnAboutUnused(objectOf(objectOf(document.components).schemas), '#/components/schemas');
  for (const pointer of references.unresolvable)
    warnings.add('unused component with a $ref that is external, circular or cannot be resolved', pointer);
  const api = toConfiguration({ ...info, versions: { [version]: { schemas, services } } });
  return {
    api,
    services: Object.keys(services).length,
    operations,
    warnings: warnings.summary(),
    report: () => warnings.report(),
  };
}

/** A path with a version prefix, as hosting adds one. */
const VERSIONED = /^\/v\d+(?=\/|$)/;

function warnAboutUnsupported(document: JsonObject, version: number, warnings: ImportWarnings): void {
  for (const [name, what] of UNSUPPORTED_MEMBERS)
    if (document[name] !== undefined) warnings.add(what, childPointer('#', name));
  warnings.add('title and version of the document (replaced by the name and version of the API)', '#/info');
  const servers = listOf(document.servers);
  if (servers.some((one) => !['', '/'].includes(textOf(objectOf(one).url)))) {
    warnings.add(`servers (this server hosts the API, all paths below "/v${version}")`, '#/servers');
  }
  for (const path of Object.keys(objectOf(document.paths))) {
    const [prefix] = VERSIONED.exec(path) ?? [];
    if (prefix !== undefined)
      warnings.add(
        `path beginning with "${prefix}" (hosted below "/v${version}", at "/v${version}${prefix}"; remove "${prefix}" from the paths of the document if it is the same version)`,
        childPointer('#/paths', path),
      );
  }
  const schemes = Object.keys(objectOf(objectOf(document.components).securitySchemes));
  for (const name of schemes) {
    warnings.add(
      'security scheme (map an adapter in platform-mvc-auth.authentication.map)',
      childPointer('#/components/securitySchemes', name),
    );
  }
}

/** A URL as hosting accepts it: HTTP, with the characters of RFC 3986. */
const WEB_ADDRESS = /^https?:\/\/[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i;

function apiMembers(
  { summary, description, license, contact, termsOfService }: JsonObject,
  warnings: ImportWarnings,
): JsonObject {
  if (termsOfService !== undefined) warnings.add('terms of service', '#/info/termsOfService');
  if (summary !== undefined) warnings.add('summary of the document', '#/info/summary');
  return {
    ...(typeof description === 'string' ? { description } : {}),
    ...(isObject(license) ? licenseMembers(license, warnings) : {}),
    ...(isObject(contact)
      ? { contact: knownMembers(contact, ['name', 'url', 'email'], '#/info/contact', warnings) }
      : {}),
  };
}

function licenseMembers(license: JsonObject, warnings: ImportWarnings): JsonObject {
  const members = knownMembers(license, ['name', 'url'], '#/info/license', warnings);
  if (typeof members.name === 'string') return { license: members };
  warnings.add('license without a name', '#/info/license');
  return {};
}

function knownMembers(
  value: JsonObject,
  names: readonly string[],
  pointer: string,
  warnings: ImportWarnings,
): JsonObject {
  const isSupported = ([name, text]: [string, unknown]): boolean =>
    names.includes(name) && typeof text === 'string' && (name !== 'url' || WEB_ADDRESS.test(text));
  const unsupported = Object.entries(value).filter((one) => !isSupported(one));
  for (const [name] of unsupported) warnings.add('member of license or contact', childPointer(pointer, name));
  return Object.fromEntries(Object.entries(value).filter(isSupported));
}

/**
 * Converts an object to configuration: null members of a map would remove others, about which warnings were added before,
 * and `${NAME}` would be replaced by an environment variable.
 */
function toConfiguration(object: JsonObject, inList = false): ConfigObject {
  const valueOf = (member: unknown, listed: boolean): ConfigValue => {
    // Lists are replaced as a whole, so they may contain null.
    if (Array.isArray(member)) return member.map((one) => valueOf(one, true));
    if (isObject(member)) return toConfiguration(member, listed);
    if (typeof member === 'string') return escapeReferences(member);
    if (typeof member === 'boolean') return member;
    return typeof member === 'number' && Number.isFinite(member) ? member : null;
  };
  const isIncluded = ([key, member]: [string, unknown]): boolean => {
    const isNull = member === null || (typeof member === 'number' && !Number.isFinite(member));
    return member !== undefined && key !== '__proto__' && (inList || !isNull);
  };
  return Object.fromEntries(
    Object.entries(object)
      .filter(isIncluded)
      .map(([key, member]) => [key, valueOf(member, inList)]),
  );
}
