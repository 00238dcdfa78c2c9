import {
  ConfigurationError,
  describeValue,
  isObject,
  type JsonObject,
  type Services,
} from '../../../framework';

/**
 * Returns hooks that are given as such, or by their container name.
 * @param known the names of hooks
 * @param where what declares them, for messages
 * @throws ConfigurationError for anything but hooks: misspelt ones would never be called
 */
export async function resolveHooks(
  reference: unknown,
  known: readonly string[],
  services: Services,
  where: string,
): Promise<JsonObject> {
  const hooks: unknown =
    typeof reference === 'string'
      ? await services.getNamed(reference, isObject, 'hooks', `${where}: hooks`)
      : reference;
  const names = known.join(', ');
  if (!isObject(hooks))
    throw new ConfigurationError(
      `${where}: hooks is ${describeValue(hooks)}. Write an object with functions: ${names}.`,
    );
  // An instance of a class can have other members.
  const isPlain = Object.getPrototypeOf(hooks) === Object.prototype;
  const unknown = isPlain ? Object.keys(hooks).find((name) => !known.includes(name)) : undefined;
  if (unknown !== undefined || !known.some((name) => name in hooks)) {
    const found = unknown === undefined ? 'no function' : `"${unknown}"`;
    throw new ConfigurationError(`${where}: hooks has ${found}. Available: ${names}.`);
  }
  const invalid = known.find((name) => name in hooks && typeof hooks[name] !== 'function');
  if (invalid !== undefined)
    throw new ConfigurationError(
      `${where}: hooks.${invalid} is ${describeValue(hooks[invalid])}. Use a function.`,
    );
  return hooks;
}
