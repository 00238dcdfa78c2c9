import type { Environment } from '../framework';

/** The output streams and environment variables of a command. */
export interface CommandContext {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly environment: Environment;
  /** Receives the exit code; sets `process.exitCode` by default. */
  readonly exit?: (code: number) => void;
}
