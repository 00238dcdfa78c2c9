const steady = performance.now.bind(performance);

/**
 * Moves the steady clock of this process forward, but not its timers: windows and lifetimes that are longer than a test may
 * end in it, and none ends early on a busy machine. `jest.restoreAllMocks` sets the clock back.
 */
export function advanceClock(seconds: number): void {
  const ahead = performance.now() - steady() + seconds * 1000;
  jest.spyOn(performance, 'now').mockImplementation(() => steady() + ahead);
}
