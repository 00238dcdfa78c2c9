import type { TObject } from '@sinclair/typebox';
import { StartError } from '../../framework';

/**
 * Refuses a query that has a parameter which the platform adds: it would stand for two things.
 * @param names that the platform gives to parameters
 * @param where names the operation, for the message
 * @param meaning of such a name, for the message
 * @throws StartError
 */
export function assertFree(
  { properties }: TObject,
  names: readonly string[],
  where: string,
  meaning: string,
): void {
  const taken = names.find((name) => Object.hasOwn(properties, name));
  if (taken === undefined) return;
  throw new StartError(
    `${where}: its query declares the parameter "${taken}", and "${taken}" ${meaning}. Give the declared one another name.`,
  );
}
