import { memberSchemas, type MemberSchema, type SectionSchemas } from '../json-schema/schema-tree';
import type { SchemaNode } from '../json-schema/subschemas';
import { isObject, type KeyPath } from '../values/config-object';

/** The last words of the name of a key that holds a secret. */
const SECRET_NAME =
  /(^|_)(pass|passwd|password|passwords|passphrase|pwd|secret|secrets|token|tokens|credential|credentials|(api|private|secret|access|encryption|signing)_?keys?)$/;

/** The annotations of a value by the schemas along its path. */
export interface Annotations {
  /** The schemas of the value itself. */
  readonly schemas: readonly SchemaNode[];
  /** Schemas of the value that only say which values are secret. */
  readonly marking: readonly SchemaNode[];
  /** Whether a schema along the path marks it as secret, or sets `secret: false`. */
  readonly isMarkedSecret: boolean;
  readonly isMarkedOpen: boolean;
  /** Whether a key along the path is named like a secret. */
  readonly isNamedSecret: boolean;
  /** Whether a schema along the path sets `restart: true`. */
  readonly needsRestart: boolean;
}

/**
 * Returns the annotations of the whole configuration.
 * @param marking further schemas of it, of which only what marks secrets counts
 */
export function rootAnnotations(sections: SectionSchemas, marking: readonly SchemaNode[] = []): Annotations {
  return {
    schemas: [{ properties: Object.fromEntries(sections) }],
    marking,
    isMarkedSecret: false,
    isMarkedOpen: false,
    isNamedSecret: false,
    needsRestart: false,
  };
}

/** Returns the annotations of a member. */
export function memberAnnotations(holder: Annotations, key: string | number): Annotations {
  // Most values of a large configuration: only names decide where no schema does, until one has decided.
  if (holder.schemas.length === 0 && holder.marking.length === 0) {
    const isDecided = holder.isNamedSecret || holder.isMarkedOpen || !isNamedSecret([], key);
    return isDecided ? holder : { ...holder, isNamedSecret: true };
  }
  const members = holder.schemas.flatMap((schema) => memberSchemas(schema, key));
  const schemas = members.map(({ schema }) => schema);
  const marking = holder.marking.flatMap((schema) =>
    memberSchemas(schema, key).map((member) => member.schema),
  );
  const isMarkedOpen = holder.isMarkedOpen || schemas.some(({ secret }) => secret === false);
  return {
    schemas,
    marking,
    isMarkedSecret: holder.isMarkedSecret || [...schemas, ...marking].some(isSecretSchema),
    isMarkedOpen,
    // Below a value that is marked open, names are ignored.
    isNamedSecret: holder.isNamedSecret || (!isMarkedOpen && isNamedSecret(members, key)),
    needsRestart: holder.needsRestart || schemas.some(({ restart }) => restart === true),
  };
}

/** Whether a schema marks its value as secret. A list whose items are secret is shown as one value. */
export function isSecretSchema(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  return schema.secret === true || schema.format === 'password' || isSecretSchema(schema.items);
}

function isNamedSecret(members: readonly MemberSchema[], key: string | number): boolean {
  const isName = members.some(({ schema, isName: named }) => named && describes(schema));
  return typeof key === 'string' && !isName && isSecretName(key);
}

/** Whether a key is named like one that holds a secret: `password`, `api_key`, `tokens`. */
export function isSecretName(key: string): boolean {
  return SECRET_NAME.test(toSnakeCase(key));
}

/** Returns whether a value is a secret; see {@link isSecretPath}. */
export function isSecret({ isMarkedSecret, isMarkedOpen, isNamedSecret }: Annotations): boolean {
  return isMarkedSecret || (!isMarkedOpen && isNamedSecret);
}

/**
 * Returns whether the value at a path is a secret: its schema or that of an enclosing object sets `secret: true` or
 * `format: 'password'`, or its key or that of an enclosing object is named like one (`password`, `client_secret`,
 * `tokens`). Names of map entries are ignored, as an API may be called Token. `secret: false` disables the check of
 * names, for example for the fields of a service.
 */
export function isSecretPath(
  schemas: SectionSchemas,
  path: KeyPath,
  marking: readonly SchemaNode[] = [],
): boolean {
  return isSecret(path.reduce<Annotations>(memberAnnotations, rootAnnotations(schemas, marking)));
}

/**
 * Returns whether a value is a secret, or has one.
 * @param schema of the value at the start of the path
 * @param path to the value
 */
export function containsSecret(schema: SchemaNode, path: KeyPath, value: unknown): boolean {
  const root = { ...rootAnnotations(new Map()), schemas: [schema] };
  return hasSecret(path.reduce<Annotations>(memberAnnotations, root), value);
}

function hasSecret(annotations: Annotations, value: unknown): boolean {
  if (isSecret(annotations)) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) =>
    hasSecret(memberAnnotations(annotations, Array.isArray(value) ? Number(key) : key), member),
  );
}

/** Returns whether a schema constrains the value; otherwise the name decides. */
function describes(schema: SchemaNode): boolean {
  return ['type', 'const', 'enum', 'anyOf', 'oneOf', 'allOf', '$ref'].some((keyword) => keyword in schema);
}

/** `privateKey`, `private-key` → `private_key`; `APIKey` → `api_key` */
function toSnakeCase(key: string): string {
  return key
    .replace(/[a-z0-9](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, '$&_')
    .replace(/[-. ]/g, '_')
    .toLowerCase();
}
