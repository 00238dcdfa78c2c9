import {
  isPlainObject,
  check,
  isObject,
  ConfigurationError,
  describeValue,
  type ConfigObject,
  type KeyPath,
} from '../../../../framework';
import type { ApiDefinition } from '../definition';
import { apiKeys, versionKeys } from './known-keys';
import { operationKeys, serviceKeys } from '../../service-settings';
import { apiSettings } from '../../settings';
import type { ServiceKind } from '../service-kind';

/** Reduces a declaration to what configuration could express; undefined for what only code can. */
type Reader = (value: unknown) => unknown;

/**
 * Validates declarations in code, which plain JavaScript does not type-check, against the schema of the
 * configuration.
 * @param module name of the declaring module, for messages
 * @param kinds kinds of services that modules add
 * @throws ConfigurationError that lists every invalid key with its value and what is allowed
 */
export function assertDeclarations(
  list: unknown,
  module: string,
  kinds: readonly ServiceKind[],
): asserts list is readonly ApiDefinition[] {
  const settings = apiSettings(kinds);
  const api = apiReader(kinds);
  const where = `The module "${module}"`;
  if (!Array.isArray(list)) {
    throw new ConfigurationError(
      `${where}: apis is ${describeValue(list)}. Write a list of what defineApi returns, or a function that returns one.`,
    );
  }
  const messages = list.flatMap((declared: unknown, at) => {
    if (!isPlainObject(declared)) {
      throw new ConfigurationError(
        `${where}: apis[${at}] is ${describeValue(declared)}. Write a plain object, as defineApi returns it.`,
      );
    }
    const { name } = declared;
    if (typeof name !== 'string') {
      throw new ConfigurationError(
        `${where}: apis[${at}].name is ${describeValue(name)}. Write a name that begins with a letter.`,
      );
    }
    if (declared.versions === undefined) {
      throw new ConfigurationError(
        `${where}: the API ${name} has no versions. Write versions: { 1: { services } }.`,
      );
    }
    // Values that are not JSON match no schema, and are reported as they are.
    const reduced = api(declared) as ConfigObject;
    const layer = { source: where, tree: { apis: { [name]: reduced } } };
    return check(reduced, settings, [layer], ['apis', name]).map(
      ({ path, message }) => message + codeAlternative(path),
    );
  });
  if (messages.length > 0) throw new ConfigurationError(messages.join('\n'));
}

/** What code may use where the schema expects a container name. */
const CODE_VALUES: Readonly<Record<string, string>> = {
  resource: 'a resource, or its class',
  handler: 'a function',
  validators: 'functions',
  hooks: 'an object with functions',
};

function codeAlternative(path: KeyPath): string {
  const [key] = path.filter((one) => typeof one === 'string').slice(-1);
  const alternative = key === undefined ? undefined : CODE_VALUES[key];
  return alternative === undefined ? '' : ` In code it may also be ${alternative}.`;
}

/** Reduces the known keys of an object; unknown keys are reported elsewhere. */
function reduceKeys(known: readonly string[], parts: Readonly<Record<string, Reader>>): Reader {
  return (value) => {
    if (!isObject(value)) return value;
    const reduced: Record<string, unknown> = {};
    for (const key of known) {
      const member = value[key];
      // Null removes an inherited value.
      if (member === undefined || member === null) continue;
      const part = parts[key];
      const kept = part === undefined ? member : part(member);
      if (kept !== undefined) reduced[key] = kept;
    }
    return reduced;
  };
}

/** Reduces every member of an object. */
function reduceAll(part: Reader, isName = /^/): Reader {
  return (value) =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).flatMap(([name, member]) =>
            member === null || !isName.test(name) ? [] : [[name, part(member)]],
          ),
        )
      : value;
}

const schema: Reader = (value) => (isObject(value) ? undefined : value);
const number: Reader = (value) => (typeof value === 'number' ? undefined : value);
const handler: Reader = (value) => (typeof value === 'function' ? undefined : value);
const resource: Reader = (value) => (isObject(value) ? undefined : handler(value));
const texts: Reader = (value) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? undefined : value;
const validators: Reader = (value) =>
  Array.isArray(value) ? value.map((one: unknown) => (typeof one === 'function' ? one.name : one)) : value;
/** The compiler reports which hooks are wrong. */
const hooks: Reader = (value) => (typeof value === 'string' ? value : undefined);
/** Example values may have any type. */
const examples: Reader = (value) => (isObject(value) ? reduceAll(() => null)(value) : value);

// The compiler reports invalid numbers and stream types in more detail than a schema can.
const limits = { timeout: number, heartbeat: number };
const status: Reader = (value) =>
  isObject(value) && isObject(value.response)
    ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'response'))
    : value;
const operation = reduceKeys(operationKeys, {
  ...limits,
  query: schema,
  fields: schema,
  response: schema,
  status: number,
  stream: texts,
  response_type: texts,
  status_codes: (value) => (Array.isArray(value) ? value.map(status) : value),
  handler,
  validators,
  hooks,
  examples,
});
// The compiler also reports invalid methods and operations.
const operations = reduceAll((value) => (isObject(value) ? operation(value) : {}), /^[A-Z]+$/);
/** The keys of services that only code can hold, of all kinds. */
const serviceParts: Readonly<Record<string, Reader>> = {
  ...limits,
  page_size: number,
  max_page_size: number,
  parameters: reduceAll((value) => (isObject(value) ? {} : value)),
  fields: schema,
  input: schema,
  cursor: schema,
  collection: operations,
  entity: operations,
  methods: operations,
  resource,
  validators,
  hooks,
};

function apiReader(kinds: readonly ServiceKind[]): (definition: unknown) => unknown {
  const keys = new Set([...serviceKeys, ...kinds.flatMap(({ settings }) => Object.keys(settings))]);
  const service = reduceKeys([...keys], {
    ...serviceParts,
    ...Object.fromEntries(kinds.flatMap(({ reducers = {} }) => Object.entries(reducers))),
  });
  const version = reduceKeys(versionKeys, {
    // The validator reports invalid schemas.
    schemas: reduceAll((value) => (isObject(value) ? {} : value)),
    services: reduceAll(service),
  });
  return reduceKeys(
    apiKeys.filter((key) => key !== 'name'),
    // The compiler reports invalid version numbers and unknown versions.
    { ...limits, hooks, default_version: number, versions: reduceAll(version, /^[1-9]\d*$/) },
  );
}
