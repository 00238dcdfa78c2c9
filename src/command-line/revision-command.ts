import { InvalidArgumentError, type Command } from 'commander';
import type { CommandContext } from './command-context';
import { reportApplied } from './report';
import { projectCommand } from './project-command';

/** Registers `revision list`, `revision diff N`, `revision restore N` and `revision undo N`. */
export function registerRevision(program: Command, io: CommandContext): void {
  const revision = program
    .command('revision')
    .description('list, compare, restore and undo changes of the configuration');
  const repair = { repair: true } as const;
  const read = { repair: true, readOnly: true } as const;

  projectCommand(
    revision,
    io,
    'list',
    'list who changed what and when, newest first',
    async ({ services }) => {
      const revisions = await services.revisions.list();
      if (revisions.length === 0) io.stdout.write('No changes yet.\n');
      for (const { number, at, by = 'unknown', via = '', summary, isCurrent } of revisions) {
        io.stdout.write(`${number}${isCurrent ? '*' : ''}  ${at}  ${by} (${via})  ${summary}\n`);
      }
    },
    read,
  );

  projectCommand(
    revision,
    io,
    'diff',
    'print the keys that a revision changed',
    async ({ services }, _, number = '') => {
      const { difference } = await services.revisions.get(numberOf(number));
      for (const { path, before, after } of difference) {
        if (before !== undefined) io.stdout.write(`- ${path} = ${before}\n`);
        if (after !== undefined) io.stdout.write(`+ ${path} = ${after}\n`);
      }
    },
    read,
  ).argument('<revision>', 'number of the revision');

  projectCommand(
    revision,
    io,
    'restore',
    'restore the configuration to its state after a revision',
    async ({ services: { revisions, changes }, actor }, _, number = '') =>
      reportApplied(io, await changes.apply(await revisions.prepareRestore(numberOf(number)), actor)),
    repair,
  ).argument('<revision>', 'number of the revision');

  projectCommand(
    revision,
    io,
    'undo',
    'undo what a revision changed, and keep later changes',
    async ({ services: { revisions, changes }, actor }, _, number = '') =>
      reportApplied(io, await changes.apply(await revisions.prepareUndo(numberOf(number)), actor)),
    repair,
  ).argument('<revision>', 'number of the revision');
}

function numberOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a revision number, 1 or greater.');
}
