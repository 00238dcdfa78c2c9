import type { TObject } from '@sinclair/typebox';
import { ConfigurationError } from '../../../../framework';

/**
 * Rejects a query that declares a parameter of the platform.
 * @param names reserved parameter names
 * @param where operation name, for the message
 * @param meaning meaning of the reserved name, for the message
 * @throws ConfigurationError
 */
export function assertNotReserved(
  { properties }: TObject,
  names: readonly string[],
  where: string,
  meaning: string,
): void {
  const reserved = names.find((name) => Object.hasOwn(properties, name));
  if (reserved === undefined) return;
  throw new ConfigurationError(
    `${where}: the query declares the parameter "${reserved}", which ${meaning}. Rename the declared parameter.`,
  );
}
