/**
 * Returns a function that computes its result once for each of the last arguments of a turn of the event loop. Unlike
 * `oncePer`, it keeps none of them alive, and an object may be modified afterwards: a schema before the next start, for
 * example.
 * @param limit the number of results that it remembers: it compares the argument with all of them
 */
export function recently<Argument, Result>(
  limit: number,
  compute: (argument: Argument) => Result,
): (argument: Argument) => Result {
  const known: Argument[] = [];
  const results: Result[] = [];
  let oldest = 0;
  let isForgetting = false;
  const forget = (): void => {
    known.length = 0;
    results.length = 0;
    oldest = 0;
    isForgetting = false;
  };
  return (argument) => {
    const at = known.indexOf(argument);
    if (at !== -1) return results[at] as Result;
    const result = compute(argument);
    known[oldest] = argument;
    results[oldest] = result;
    oldest = (oldest + 1) % limit;
    if (!isForgetting) {
      isForgetting = true;
      setImmediate(forget);
    }
    return result;
  };
}
