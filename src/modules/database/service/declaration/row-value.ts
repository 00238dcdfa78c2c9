import { ConfigurationError } from '../../../../framework';

/**
 * The constant of a restriction; undefined for the name of the identity.
 * @param where the key that has it, for messages
 * @throws ConfigurationError for another member of the identity
 */
export function rowValue(
  value: string | number | boolean,
  where: string,
): string | number | boolean | undefined {
  if (value === 'identity.name') return undefined;
  if (typeof value !== 'string' || !value.startsWith('identity.')) return value;
  throw new ConfigurationError(
    `${where} is "${value}". Of the identity, only "identity.name" is available. Did you mean "identity.name"?`,
  );
}
