/** The longest time in milliseconds for which this process served nothing else while a task ran. */
export async function longestPause(task: () => Promise<unknown>): Promise<number> {
  let [last, longest] = [performance.now(), 0];
  const measure = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(measure, 1);
  await task();
  clearInterval(timer);
  measure();
  return longest;
}
