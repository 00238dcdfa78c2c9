import type { ConfigTree, ConfigValue } from '../../framework';
import { below, isObject, objectOf, textOf, type JsonObject } from './json';
import { Losses } from './losses';
import { noteShapes } from './note-shapes';
import { readDocument } from './read-document';
import { References } from './references';
import { Schemas } from './schema';
import { importServices } from './services';
import { noteValues, VARIABLE } from './values';

/** An API as configuration has it (`platform-hosting.apis.<name>`), and what of its description is not in it. */
export interface ImportedApi {
  readonly api: ConfigTree;
  readonly services: number;
  readonly operations: number;
  /** A line for each kind of loss. */
  readonly losses: readonly string[];
}

/** Members of a document that the platform has another way for, or none. */
const LEFT: readonly (readonly [name: string, what: string])[] = [
  ['webhooks', 'webhooks'],
  ['externalDocs', '"externalDocs" of the document'],
];

/**
 * Makes a documented API of an OpenAPI 3.0 or 3.1 document, whose operations answer 501 until a handler is named.
 * @param source text, JSON or YAML, and the name of its file for messages
 * @throws StartError for what is no such document, and for a `$ref` that leads outside, nowhere, or in a circle
 */
export function importOpenapi(
  source: { readonly text: string; readonly name: string },
  version: number,
): ImportedApi {
  const document = readDocument(source.text, source.name);
  const losses = new Losses();
  const references = new References(document, source.name);
  const tools = { references, losses, schemas: new Schemas(references, losses, source.name) };
  noteLeft(document, version, losses);
  noteShapes(document, losses);
  noteValues(document, losses);
  const services = importServices(document, tools);
  const operations = Object.values(services).reduce(
    (count, { methods }) => count + Object.keys(objectOf(methods)).length,
    0,
  );
  const info = infoOf(objectOf(document.info), losses);
  const schemas = tools.schemas.shared();
  tools.schemas.noteUnused(objectOf(objectOf(document.components).schemas), '#/components/schemas');
  const api = configurable({ ...info, versions: { [version]: { schemas, services } } });
  return { api, services: Object.keys(services).length, operations, losses: losses.lines() };
}

/** A path with its version in front, as hosting puts it there. */
const VERSIONED = /^\/v\d+(?=\/|$)/;

function noteLeft(document: JsonObject, version: number, losses: Losses): void {
  for (const [name, what] of LEFT) if (document[name] !== undefined) losses.note(what, below('#', name));
  losses.note('the title and the version of the document (they are the name and the version here)', '#/info');
  const servers = Array.isArray(document.servers) ? document.servers : [];
  if (servers.some((one) => !['', '/'].includes(textOf(objectOf(one).url)))) {
    losses.note(`the servers (this one serves it, each path below "/v${version}")`, '#/servers');
  }
  for (const path of Object.keys(objectOf(document.paths))) {
    const [prefix] = VERSIONED.exec(path) ?? [];
    if (prefix !== undefined)
      losses.note(
        `the address of a path that begins with "${prefix}" (every path is below "/v${version}" here, so that it is at "/v${version}${prefix}"; import the document without "${prefix}" in its paths where that is the same version)`,
        below('#/paths', path),
      );
  }
  const schemes = Object.keys(objectOf(objectOf(document.components).securitySchemes));
  for (const name of schemes) {
    losses.note(
      'a security scheme (map an adapter at platform-mvc-auth.authentication.map)',
      below('#/components/securitySchemes', name),
    );
  }
  losses.note('the operationIds (the platform makes its own)', '#/paths');
}

/** What hosting takes for an address: characters of RFC 3986, of the web. */
const WEB_ADDRESS = /^https?:\/\/[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i;

function infoOf(
  { summary, description, license, contact, termsOfService }: JsonObject,
  losses: Losses,
): JsonObject {
  if (termsOfService !== undefined) losses.note('the terms of service', '#/info/termsOfService');
  if (summary !== undefined) losses.note('the summary of the document', '#/info/summary');
  return {
    ...(typeof description === 'string' ? { description } : {}),
    ...(isObject(license) ? licenceOf(license, losses) : {}),
    ...(isObject(contact)
      ? { contact: taken(contact, ['name', 'url', 'email'], '#/info/contact', losses) }
      : {}),
  };
}

function licenceOf(license: JsonObject, losses: Losses): JsonObject {
  const made = taken(license, ['name', 'url'], '#/info/license', losses);
  if (typeof made.name === 'string') return { license: made };
  losses.note('a licence without a name', '#/info/license');
  return {};
}

function taken(value: JsonObject, names: readonly string[], pointer: string, losses: Losses): JsonObject {
  const isTaken = ([name, text]: [string, unknown]): boolean =>
    names.includes(name) && typeof text === 'string' && (name !== 'url' || WEB_ADDRESS.test(text));
  const left = Object.entries(value).filter((one) => !isTaken(one));
  for (const [name] of left) losses.note('a member of the licence or the contact', below(pointer, name));
  return Object.fromEntries(Object.entries(value).filter(isTaken));
}

/**
 * A value that configuration may hold: a member of a map that is null would be taken away, and what looks like the
 * name of an environment variable would be replaced. What is left out was noted where it stands.
 */
function configurable(object: JsonObject, inList = false): ConfigTree {
  const valueOf = (member: unknown, listed: boolean): ConfigValue => {
    // Lists replace one another as a whole.
    if (Array.isArray(member)) return member.map((one) => valueOf(one, true));
    if (isObject(member)) return configurable(member, listed);
    if (typeof member === 'string') return member.replace(VARIABLE, '$ {');
    if (typeof member === 'boolean') return member;
    return typeof member === 'number' && Number.isFinite(member) ? member : null;
  };
  const isKept = ([key, member]: [string, unknown]): boolean => {
    const isNothing = member === null || (typeof member === 'number' && !Number.isFinite(member));
    return member !== undefined && key !== '__proto__' && (inList || !isNothing);
  };
  const kept = Object.entries(object).filter(isKept);
  return Object.fromEntries(kept.map(([key, member]) => [key, valueOf(member, inList)]));
}
