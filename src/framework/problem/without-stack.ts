/**
 * Creates an error whose stack has no frames: for responses that anyone can cause in any number. Collecting the frames
 * takes longer than most of the rest of such a response, and nobody reads them, as the problem says what was wrong.
 */
export function withoutStack<E extends Error>(create: () => E): E {
  const { stackTraceLimit } = Error;
  // False where the intrinsic objects are frozen.
  if (!Reflect.set(Error, 'stackTraceLimit', 0)) return create();
  try {
    return create();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
