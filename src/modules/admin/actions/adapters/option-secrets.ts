import { isObject, type Configuration, type ConfigObject, type ConfigValue } from '../../../../framework';
import { MASK } from '../../changes/difference';
import { HTTP_ADAPTER } from './adapter-kinds';

/** A JSON Schema object. */
type Schema = Readonly<Record<string, unknown>>;

/** Whether an option is secret, without knowing its schema; `path` starts at the options. */
export type SecretOption = (path: readonly string[]) => boolean;

/**
 * Detects secret options of an adapter by their key names and by environment variables. The built-in kind has no
 * secrets.
 *
 * @param name of an existing adapter
 */
export function secretOptions(configuration: Configuration, kind: string, name = ''): SecretOption {
  if (kind === HTTP_ADAPTER) return () => false;
  const at = ['platform-mvc-auth', 'authentication', 'adapters', name, 'options'];
  return (path) => configuration.isSecret([...at, ...path]);
}

/** Whether a schema marks its value as secret. */
export function isSecretSchema(schema: unknown): boolean {
  return isObject(schema) && (schema.secret === true || schema.format === 'password');
}

/** Masks every secret in options. */
export function maskSecrets(schema: unknown, options: ConfigObject, isSecret: SecretOption): ConfigObject {
  return mapSecrets(schema, options, isSecret, () => MASK);
}

/** Replaces masks with the current secrets; drops a mask without a current secret. */
export function keepSecrets(
  schema: unknown,
  options: ConfigObject,
  current: ConfigObject,
  isSecret: SecretOption,
): ConfigObject {
  return mapSecrets(schema, options, isSecret, (value, path) => {
    if (value !== MASK) return value;
    const found = path.reduce<ConfigValue | undefined>(
      (inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
      current,
    );
    return found;
  });
}

function mapSecrets(
  schema: unknown,
  options: ConfigObject,
  isSecret: SecretOption,
  map: (value: ConfigValue, path: readonly string[]) => ConfigValue | undefined,
  path: readonly string[] = [],
): ConfigObject {
  const members = Object.entries(options).flatMap(([key, value]): [string, ConfigValue][] => {
    const memberPath = [...path, key];
    const inner = memberSchema(schema, key);
    const mapped =
      isSecretSchema(inner) || isSecret(memberPath)
        ? map(value, memberPath)
        : isObject(value)
          ? mapSecrets(inner, value, isSecret, map, memberPath)
          : value;
    return mapped === undefined ? [] : [[key, mapped]];
  });
  return Object.fromEntries(members);
}

function memberSchema(schema: unknown, key: string): Schema | undefined {
  if (!isObject(schema)) return undefined;
  const { properties, additionalProperties, patternProperties } = schema;
  if (isObject(properties) && isObject(properties[key])) return properties[key];
  if (isObject(patternProperties)) {
    const [first] = Object.values(patternProperties);
    if (isObject(first)) return first;
  }
  return isObject(additionalProperties) ? additionalProperties : undefined;
}
