/** As pino has them: members below are left out. */
const MAX_DEPTH = 5;
const MAX_MEMBERS = 100;

/**
 * Copies what can be read of a value, for a log line: a member that throws is replaced by a text that says why. Never
 * throws.
 * @param ancestors the objects that contain the value
 */
export function readableCopy(value: unknown, ancestors: readonly unknown[] = []): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (ancestors.includes(value)) return '[Circular]';
  if (ancestors.length >= MAX_DEPTH) return '[Object]';
  return readable(() => copyOf(value, [...ancestors, value]));
}

function copyOf(value: object, ancestors: readonly unknown[]): unknown {
  if (hasToJson(value)) return readableCopy(value.toJSON(), ancestors);
  const member = (key: string): unknown => readable(() => readableCopy(Reflect.get(value, key), ancestors));
  if (Array.isArray(value)) return Object.keys(value).slice(0, MAX_MEMBERS).map(member);
  const names = value instanceof Error ? ['message', 'stack'] : [];
  const keys = [...new Set([...names, ...Object.keys(value).slice(0, MAX_MEMBERS)])];
  return Object.fromEntries(keys.map((key) => [key, member(key)]));
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function readable(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return `[cannot be read: ${thrownText(error)}]`;
  }
}

/** Returns what was thrown as a text. Never throws. */
export function thrownText(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'a value that has no text';
  }
}
