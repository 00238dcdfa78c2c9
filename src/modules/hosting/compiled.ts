import { StartError } from '../../framework';

/** @throws StartError that names where the schema stands */
export function compiled<T>(make: () => T, where: string): T {
  try {
    return make();
  } catch (error) {
    throw new StartError(
      `${where}: its schema cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}
