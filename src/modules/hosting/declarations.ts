import { check, isTree, StartError, whatIs, type ConfigTree, type KeyPath } from '../../framework';
import type { ApiDefinition } from './definition';
import { apiKeys, versionKeys } from './known-keys';
import { isPlain } from './overlay';
import { operationKeys, serviceKeys } from './service-settings';
import { apiSettings } from './settings';

/** A part of a declaration as configuration could have said it; undefined for what only code can say. */
type Part = (value: unknown) => unknown;

/**
 * Refuses declarations in code that plain JavaScript lets through. The schema of the configuration describes the same
 * keys: it is what they are held to.
 * @param module that declares them, for messages
 * @throws StartError that names every key, what was found, and what is allowed
 */
export function assertDeclarations(list: unknown, module: string): asserts list is readonly ApiDefinition[] {
  const where = `The module "${module}"`;
  if (!Array.isArray(list)) {
    throw new StartError(
      `${where}: apis is ${whatIs(list)}. Write a list of what defineApi returns, or a function that returns one.`,
    );
  }
  const messages = list.flatMap((declared: unknown, at) => {
    if (!isPlain(declared)) {
      throw new StartError(
        `${where}: apis[${at}] is ${whatIs(declared)}. Write a plain object, as defineApi returns it.`,
      );
    }
    const { name } = declared;
    if (typeof name !== 'string') {
      throw new StartError(
        `${where}: apis[${at}].name is ${whatIs(name)}. Write a name that begins with a letter.`,
      );
    }
    if (declared.versions === undefined) {
      throw new StartError(`${where}: the API ${name} has no versions. Write versions: { 1: { services } }.`);
    }
    // What is no JSON fits no schema, and is told as what it is.
    const said = api(declared) as ConfigTree;
    const layer = { source: where, tree: { apis: { [name]: said } } };
    return check(said, apiSettings, [layer], ['apis', name]).map(
      ({ path, message }) => message + inCode(path),
    );
  });
  if (messages.length > 0) throw new StartError(messages.join('\n'));
}

/** What only code can have, where the schema knows names. */
const CODE: Readonly<Record<string, string>> = {
  resource: 'a resource, or its class',
  handler: 'a function',
  validators: 'functions',
};

function inCode(path: KeyPath): string {
  const [key] = path.filter((one) => typeof one === 'string').slice(-1);
  const other = key === undefined ? undefined : CODE[key];
  return other === undefined ? '' : ` In code it may be ${other}, too.`;
}

/** A record of which only these keys are looked at: unknown ones are told of where the names of the rest are known. */
function only(known: readonly string[], parts: Readonly<Record<string, Part>>): Part {
  return (value) =>
    isTree(value)
      ? Object.fromEntries(
          known.flatMap((key) => {
            const member = value[key];
            // Null takes away what is inherited.
            if (member === undefined || member === null) return [];
            const part = parts[key];
            const said = part === undefined ? member : part(member);
            return said === undefined ? [] : [[key, said]];
          }),
        )
      : value;
}

/** A record of any names. */
function each(part: Part, isName = /^/): Part {
  return (value) =>
    isTree(value)
      ? Object.fromEntries(
          Object.entries(value).flatMap(([name, member]) =>
            member === null || !isName.test(name) ? [] : [[name, part(member)]],
          ),
        )
      : value;
}

const schema: Part = (value) => (isTree(value) ? undefined : value);
const number: Part = (value) => (typeof value === 'number' ? undefined : value);
const handler: Part = (value) => (typeof value === 'function' ? undefined : value);
const resource: Part = (value) => (isTree(value) ? undefined : handler(value));
const texts: Part = (value) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? undefined : value;
const validators: Part = (value) =>
  Array.isArray(value) ? value.map((one: unknown) => (typeof one === 'function' ? one.name : one)) : value;
/** Values that clients see may be of any kind. */
const examples: Part = (value) => (isTree(value) ? each(() => null)(value) : value);

// Of numbers, and of the types of streams, the compiler says more than a schema can.
const limits = { timeout: number, heartbeat: number };
const operation = only(operationKeys, {
  ...limits,
  query: schema,
  fields: schema,
  response: schema,
  status: number,
  stream: texts,
  response_type: texts,
  handler,
  validators,
  examples,
});
// Methods that are none, and what is no operation, are the compiler's too.
const operations = each((value) => (isTree(value) ? operation(value) : {}), /^[A-Z]+$/);
const service = only(serviceKeys, {
  ...limits,
  page_size: number,
  max_page_size: number,
  parameters: each((value) => (isTree(value) ? {} : value)),
  fields: schema,
  input: schema,
  cursor: schema,
  collection: operations,
  entity: operations,
  methods: operations,
  resource,
  validators,
});
const version = only(versionKeys, {
  // Of what a schema says, its validator tells.
  schemas: each((value) => (isTree(value) ? {} : value)),
  services: each(service),
});
const api: (definition: unknown) => unknown = only(
  apiKeys.filter((key) => key !== 'name'),
  // Of names that are no numbers, and of versions that there are not, the compiler tells.
  { ...limits, default_version: number, versions: each(version, /^[1-9]\d*$/) },
);
