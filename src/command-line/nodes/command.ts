import type { Command } from 'commander';
import path from 'node:path';
import { formatColumns, type DeploymentNode } from '../../framework';
import { runCommand } from '../run-command';
import type { CommandContext } from '../command-context';
import { packageVersion } from '../../node-version';
import { openForReading, storeFormat } from './open-deployment';
import { hostOf } from '../open-project';
import { assessUpgrade } from './upgrade-check';

interface RootOption {
  readonly root: string;
}

/** The exit code of `upgrade check` if nodes of both versions cannot run at the same time. */
const NOT_ROLLING = 3;

/** Registers `nodes` and `upgrade check`. */
export function registerNodes(program: Command, io: CommandContext): void {
  program
    .command('nodes')
    .description('list the nodes of the deployment')
    .option('--root <folder>', 'the folder that contains config/', '.')
    .action(({ root }: RootOption) => runCommand(io, () => listNodes(path.resolve(root), io)));
  program
    .command('upgrade')
    .description('prepare an upgrade of the nodes')
    .command('check')
    .description(
      'report whether nodes can be upgraded to this version one after the other: exit code 0, or 3 if all must be at once',
    )
    .option('--root <folder>', 'the folder that contains config/', '.')
    .action(async ({ root }: RootOption) => {
      let isRolling = true;
      const exit = io.exit ?? setExitCode;
      const own = { ...io, exit: (code: number) => exit(code === 0 && !isRolling ? NOT_ROLLING : code) };
      await runCommand(own, async () => {
        isRolling = await checkUpgrade(path.resolve(root), io);
      });
    });
}

function setExitCode(code: number): void {
  process.exitCode = code;
}

async function listNodes(root: string, io: CommandContext): Promise<void> {
  const opened = await openForReading(hostOf(root, io));
  try {
    if (opened?.deployment === undefined) {
      io.stdout.write(
        opened === undefined
          ? 'Each node keeps its configuration in files (platform-cluster.store is "file"), so that no list of nodes exists. With a configuration store, all nodes are listed.\n'
          : 'The configuration store is empty: no node has been started yet.\n',
      );
      return;
    }
    const { revision, nodes } = await opened.deployment.nodes();
    const rows = nodes.map((node) => rowOf(node));
    io.stdout.write(`Current revision: ${revision}\n${formatColumns(HEADINGS, rows)}`);
    for (const { id, problem } of nodes)
      if (problem !== undefined) io.stdout.write(`${id} is behind: ${problem}\n`);
  } finally {
    await opened?.close();
  }
}

/** @returns whether nodes can be upgraded one after the other */
async function checkUpgrade(root: string, io: CommandContext): Promise<boolean> {
  const opened = await openForReading(hostOf(root, io));
  try {
    const own = { version: packageVersion(), format: storeFormat() };
    const head = await opened?.store.head();
    const { isRolling, lines } = assessUpgrade(own, head, (await opened?.store.nodes()) ?? []);
    io.stdout.write(lines.map((line) => `${line}\n`).join(''));
    return isRolling;
  } finally {
    await opened?.close();
  }
}

const HEADINGS = ['NODE', 'STATE', 'REVISION', 'VERSION', 'STARTED', 'LOAD', 'ERRORS', 'LAST SEEN'];

function rowOf(node: DeploymentNode): readonly string[] {
  const { id, state, revision, version, started, load, errors, lastSeen } = node;
  const texts = [
    id,
    state,
    revision,
    version,
    started,
    `${Math.round(load * 100)}%`,
    errors,
    `${lastSeen} s`,
  ];
  return texts.map(String);
}
