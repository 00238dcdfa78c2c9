import { isTree, type Configuration, type ConfigTree, type ConfigValue } from '../../../../framework';
import { MASK } from '../../changes/difference';
import { HTTP_ADAPTER } from './adapter-kinds';

/** A schema, or what stands in its place. */
type Schema = Readonly<Record<string, unknown>>;

/** Whether an option is a secret, by what is known beside its schema; `path` leads from the options down. */
export type SecretOption = (path: readonly string[]) => boolean;

/**
 * What is known of the options of an adapter: the names of keys that tell secrets, and environment variables that
 * bring values. The platform's own kind has no secret.
 *
 * @param name of an adapter that is configured, where there is one
 */
export function secretOptions(configuration: Configuration, kind: string, name = ''): SecretOption {
  if (kind === HTTP_ADAPTER) return () => false;
  const at = ['platform-mvc-auth', 'authentication', 'adapters', name, 'options'];
  return (path) => configuration.isSecret([...at, ...path]);
}

/** Whether a schema says that its value is for nobody's eyes. */
export function isSecretSchema(schema: unknown): boolean {
  return isTree(schema) && (schema.secret === true || schema.format === 'password');
}

/** The options with a mask for every secret. */
export function maskSecrets(schema: unknown, options: ConfigTree, isSecret: SecretOption): ConfigTree {
  return mapSecrets(schema, options, isSecret, () => MASK);
}

/** The options with the current secret wherever the mask was given back; one that there was not is gone. */
export function keepSecrets(
  schema: unknown,
  options: ConfigTree,
  current: ConfigTree,
  isSecret: SecretOption,
): ConfigTree {
  return mapSecrets(schema, options, isSecret, (value, path) => {
    if (value !== MASK) return value;
    const found = path.reduce<ConfigValue | undefined>(
      (inner, key) => (isTree(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
      current,
    );
    return found;
  });
}

function mapSecrets(
  schema: unknown,
  options: ConfigTree,
  isSecret: SecretOption,
  map: (value: ConfigValue, path: readonly string[]) => ConfigValue | undefined,
  path: readonly string[] = [],
): ConfigTree {
  const members = Object.entries(options).flatMap(([key, value]): [string, ConfigValue][] => {
    const here = [...path, key];
    const inner = memberSchema(schema, key);
    const mapped =
      isSecretSchema(inner) || isSecret(here)
        ? map(value, here)
        : isTree(value)
          ? mapSecrets(inner, value, isSecret, map, here)
          : value;
    return mapped === undefined ? [] : [[key, mapped]];
  });
  return Object.fromEntries(members);
}

function memberSchema(schema: unknown, key: string): Schema | undefined {
  if (!isTree(schema)) return undefined;
  const { properties, additionalProperties, patternProperties } = schema;
  if (isTree(properties) && isTree(properties[key])) return properties[key];
  if (isTree(patternProperties)) {
    const [first] = Object.values(patternProperties);
    if (isTree(first)) return first;
  }
  return isTree(additionalProperties) ? additionalProperties : undefined;
}
