/**
 * Creates an error whose stack has no frames. Looking for them takes longer than the rest of most responses to errors of
 * clients, which can be sent in any number.
 */
export function withoutStack<E extends Error>(create: () => E): E {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return create();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
