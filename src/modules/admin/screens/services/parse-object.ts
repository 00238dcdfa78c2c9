import { isObject, parseConfiguration, ConfigurationError, type ConfigObject } from '../../../../framework';

/** Parses a JSON object that was typed; empty text is an empty object. @returns undefined for anything else */
export function parseObject(text: string): ConfigObject | undefined {
  if (text.trim() === '') return {};
  try {
    const value = parseConfiguration(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
