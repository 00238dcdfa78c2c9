import { ConfigurationError } from './configuration-error';

const load = require;

/**
 * Loads an optional package at its first use.
 * @param user what requires it, for the message
 * @throws ConfigurationError if it is not installed
 */
export function requirePackage(name: string, user: string): unknown {
  try {
    return load(name);
  } catch (cause) {
    throw new ConfigurationError(`${user} requires the package ${name}. Install it: npm install ${name}`, {
      cause,
    });
  }
}
