import type { Problem } from '../framework';
import type { Applied } from '../modules/admin';
import type { ConfigIo } from './config-command';

/** Tells that a change was made, and how a running service takes it up. */
export function tellApplied({ stdout, stderr }: ConfigIo, { revision, warnings }: Applied): void {
  for (const warning of warnings) stderr.write(`Warning: ${warning}\n`);
  if (revision.number === 0) {
    stdout.write('Nothing had to be changed.\n');
    return;
  }
  stdout.write(
    `${revision.summary} (revision ${revision.number})\nA running service takes it up at the signal SIGHUP (kill -HUP PID), or when it starts again.\n`,
  );
}

/** A refusal as people at a terminal read it: a sentence, and a line for each field. */
export function describeProblem(problem: Problem): string {
  const { errors } = problem.extensions;
  const lines = Array.isArray(errors)
    ? errors.map(
        (error: { readonly pointer?: string; readonly message?: string }) =>
          `  ${error.pointer ?? ''}: ${error.message ?? ''}`,
      )
    : [];
  return lines.length === 0 ? problem.detail : ['It cannot be done:', ...lines].join('\n');
}
