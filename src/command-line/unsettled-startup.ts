/**
 * Runs `work`, which builds an application. If a module or a factory awaits a promise that is never settled, the event
 * loop becomes empty and Node exits with code 0 and without a message: this prints one and sets exit code 1.
 */
export async function reportUnsettled<T>(
  stderr: { write(text: string): unknown },
  work: () => Promise<T>,
): Promise<T> {
  const onEmptyLoop = (): void => {
    stderr.write(
      'Startup did not complete: a module or a service factory awaits a promise that is never settled.\n',
    );
    process.exitCode = 1;
  };
  process.once('beforeExit', onEmptyLoop);
  try {
    return await work();
  } finally {
    process.off('beforeExit', onEmptyLoop);
  }
}
