import { InvalidArgumentError, type Command } from 'commander';
import type { ConfigIo } from './config-command';
import { tellApplied } from './outcome';
import { projectCommand } from './project-command';

/** Registers `revision list`, `revision diff N`, `revision restore N` and `revision undo N`. */
export function registerRevision(program: Command, io: ConfigIo): void {
  const revision = program.command('revision').description('changes of the configuration, and the way back');
  const mending = { mending: true } as const;

  projectCommand(
    revision,
    io,
    'list',
    'who changed what, and when; the newest first',
    async ({ services }) => {
      const revisions = await services.revisions.list();
      if (revisions.length === 0) io.stdout.write('Nothing was changed yet.\n');
      for (const { number, at, by = 'unknown', via = '', summary, isCurrent } of revisions) {
        io.stdout.write(`${number}${isCurrent ? '*' : ''}  ${at}  ${by} (${via})  ${summary}\n`);
      }
    },
    mending,
  );

  projectCommand(
    revision,
    io,
    'diff',
    'what a revision changed, key by key',
    async ({ services }, _, number = '') => {
      const { difference } = await services.revisions.get(numberOf(number));
      for (const { path, before, after } of difference) {
        if (before !== undefined) io.stdout.write(`- ${path} = ${before}\n`);
        if (after !== undefined) io.stdout.write(`+ ${path} = ${after}\n`);
      }
    },
    mending,
  ).argument('<revision>', 'its number');

  projectCommand(
    revision,
    io,
    'restore',
    'put the configuration back as it was after a revision',
    async ({ services: { revisions, changes }, actor }, _, number = '') =>
      tellApplied(io, await changes.apply(await revisions.toRestore(numberOf(number)), actor)),
    mending,
  ).argument('<revision>', 'its number');

  projectCommand(
    revision,
    io,
    'undo',
    'take back what a revision changed, and leave what came later',
    async ({ services: { revisions, changes }, actor }, _, number = '') =>
      tellApplied(io, await changes.apply(await revisions.toUndo(numberOf(number)), actor)),
    mending,
  ).argument('<revision>', 'its number');
}

function numberOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A revision has a number from 1.');
}
