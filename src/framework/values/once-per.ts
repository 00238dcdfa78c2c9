/** Returns a function that computes its result once for each argument. */
export function oncePer<Argument, Result>(
  compute: (argument: Argument) => Result,
): (argument: Argument) => Result {
  const known = new Map<Argument, Result>();
  return (argument) => {
    let result = known.get(argument);
    if (result === undefined) known.set(argument, (result = compute(argument)));
    return result;
  };
}
