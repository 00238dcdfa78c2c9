import type { Problem } from '../framework';
import type { Applied } from '../modules/admin';
import type { CommandContext } from './command-context';

/** Prints the result of a change, and how a running server activates it. */
export function reportApplied(
  { stdout, stderr }: CommandContext,
  { revision, warnings, isRolledOut }: Applied,
): void {
  for (const warning of warnings) stderr.write(`Warning: ${warning}\n`);
  if (revision.number === 0) {
    stdout.write('No changes.\n');
    return;
  }
  const next = isRolledOut
    ? 'All running nodes have it.'
    : 'To activate it, reload (kill -HUP PID) or restart the running server.';
  stdout.write(`${revision.summary} (revision ${revision.number})\n${next}\n`);
}

/** Formats a problem for a terminal: its detail, or one line per field error. */
export function describeProblem(problem: Problem): string {
  const { errors } = problem.extensions;
  const lines = Array.isArray(errors)
    ? errors.map(
        (error: { readonly pointer?: string; readonly message?: string }) =>
          `  ${error.pointer ?? ''}: ${error.message ?? ''}`,
      )
    : [];
  return lines.length === 0 ? problem.detail : ['Invalid values:', ...lines].join('\n');
}
