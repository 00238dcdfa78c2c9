/**
 * Returns a function that computes its result once for each of the last arguments. Unlike `oncePer`, it keeps few of them
 * alive.
 * @param limit the number of results that it remembers: it compares the argument with all of them
 */
export function recently<Argument, Result>(
  limit: number,
  compute: (argument: Argument) => Result,
): (argument: Argument) => Result {
  const known: Argument[] = [];
  const results: Result[] = [];
  let oldest = 0;
  return (argument) => {
    const at = known.indexOf(argument);
    if (at !== -1) return results[at] as Result;
    const result = compute(argument);
    known[oldest] = argument;
    results[oldest] = result;
    oldest = (oldest + 1) % limit;
    return result;
  };
}
