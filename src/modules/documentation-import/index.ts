import type { ConfigTree, ConfigValue } from '../../framework';
import { below, isObject, objectOf, textOf, type JsonObject } from './json';
import { Losses } from './losses';
import { readDocument } from './read-document';
import { References } from './references';
import { Schemas } from './schema';
import { importServices } from './services';

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
  const tools = { references, losses, schemas: new Schemas(references, losses) };
  noteLeft(document, losses);
  const services = importServices(document, tools);
  const operations = Object.values(services).reduce(
    (count, { methods }) => count + Object.keys(objectOf(methods)).length,
    0,
  );
  const api = configurable(
    { ...infoOf(objectOf(document.info), losses), versions: { [version]: { services } } },
    losses,
  );
  return { api, services: Object.keys(services).length, operations, losses: losses.lines() };
}

function noteLeft(document: JsonObject, losses: Losses): void {
  for (const [name, what] of LEFT) if (document[name] !== undefined) losses.note(what, below('#', name));
  losses.noteExtensions(document, 'the document', '#');
  losses.noteExtensions(objectOf(document.info), 'the document', '#/info');
  losses.note('the title and the version of the document (they are the name and the version here)', '#/info');
  const servers = Array.isArray(document.servers) ? document.servers : [];
  if (servers.some((one) => !['', '/'].includes(textOf(objectOf(one).url)))) {
    losses.note('the servers (this one serves it)', '#/servers');
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

function infoOf({ description, license, contact, termsOfService }: JsonObject, losses: Losses): JsonObject {
  if (termsOfService !== undefined) losses.note('the terms of service', '#/info/termsOfService');
  return {
    ...(typeof description === 'string' ? { description } : {}),
    ...(isObject(license) ? { license: taken(license, ['name', 'url']) } : {}),
    ...(isObject(contact) ? { contact: taken(contact, ['name', 'url', 'email']) } : {}),
  };
}

function taken(value: JsonObject, names: readonly string[]): JsonObject {
  const isTaken = ([name, text]: [string, unknown]): boolean =>
    names.includes(name) && typeof text === 'string' && (name !== 'url' || /^https?:\/\//i.test(text));
  return Object.fromEntries(Object.entries(value).filter(isTaken));
}

/**
 * A value that configuration may hold: a member of a map that is null would be taken away, and what looks like the
 * name of an environment variable would be replaced.
 */
function configurable(value: JsonObject, losses: Losses): ConfigTree {
  const tree = (object: JsonObject, pointer: string, inList: boolean): ConfigTree => {
    const members = Object.entries(object).flatMap(([key, member]): [string, ConfigValue][] => {
      const here = below(pointer, key);
      if (member === undefined || key === '__proto__') return [];
      if (member !== null || inList) return [[key, valueOf(member, here, inList)]];
      losses.note('a value that is null', here);
      return [];
    });
    return Object.fromEntries(members);
  };
  const valueOf = (member: unknown, pointer: string, inList: boolean): ConfigValue => {
    // Lists replace one another as a whole.
    if (Array.isArray(member)) return member.map((one, at) => valueOf(one, below(pointer, at), true));
    if (isObject(member)) return tree(member, pointer, inList);
    if (typeof member === 'string') return plain(member, pointer);
    return typeof member === 'number' || typeof member === 'boolean' ? member : null;
  };
  const plain = (text: string, pointer: string): string => {
    const safe = text.replace(/\$\{(?=[A-Za-z_]\w*\})/g, '$ {');
    if (safe !== text) losses.note('"${" (a blank is in it now)', pointer);
    return safe;
  };
  return tree(value, '', false);
}
