import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from 'commander';
import { commandGroups, commandGroupsFor } from '../../src/command-line/commands';

const CLI = path.resolve(__dirname, '../../dist/cli.js');

const namesFor = (...words: readonly string[]): readonly string[] =>
  commandGroupsFor(words).flatMap(({ names }) => names);

const all = commandGroups.flatMap(({ names }) => names);

describe('a command line', () => {
  it.each(commandGroups)('finds the commands $names where they are defined', ({ names, register }) => {
    const program = new Command();
    register(program);
    expect(program.commands.map((command) => command.name())).toEqual(names);
  });

  it('loads only the called command', () => {
    expect(namesFor('config', 'check', '--json')).toEqual(['config']);
    expect(namesFor('restore', 'file')).toEqual(['backup', 'restore']);
    expect(namesFor('serve', '--root', '.')).toEqual([]);
    expect(namesFor('--version')).toEqual([]);
  });

  it.each([[[]], [['--help']], [['help', 'config']], [['cofnig']], [['constructor']]])(
    'loads all commands for %j',
    (words) => {
      expect(namesFor(...words)).toEqual(all);
    },
  );

  it('lists every command in its help text, once', () => {
    const help = execFileSync(process.execPath, [CLI, '--help'], { encoding: 'utf8' });
    const listed = [...help.matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name]) => name);
    expect(listed).toEqual(['serve', ...all, 'help']);
  });

  it.each(['config schema --print', '--help', 'config --help', 'serve --help', '--version'])(
    'fails if its output cannot be written (%s)',
    (words) => {
      const full = openSync('/dev/full', 'w');
      try {
        const { status, stderr } = spawnSync(process.execPath, [CLI, ...words.split(' ')], {
          stdio: ['ignore', full, 'pipe'],
          encoding: 'utf8',
        });
        expect([status, stderr]).toEqual([
          1,
          'Standard output cannot be written: the disk is full. Free some space and retry.\n',
        ]);
      } finally {
        closeSync(full);
      }
    },
  );

  it('fails if only the beginning of its output can be written', () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'output-')), 'schema.json');
    const { status, stderr } = spawnSync(
      'bash',
      ['-c', 'ulimit -f 1; "$0" "$1" config schema --print > "$2"', process.execPath, CLI, file],
      { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' },
    );
    expect(statSync(file).size).toBeGreaterThan(0);
    expect([status, stderr]).toEqual([
      1,
      'Standard output cannot be written: it exceeds the file size limit. Reduce it or raise the limit.\n',
    ]);
  });

  it('completes if the reader of its output is gone', () => {
    const { status, stderr } = spawnSync(
      'bash',
      ['-c', 'set -o pipefail; "$0" "$1" config schema --print | head -c 1', process.execPath, CLI],
      { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([0, '']);
  });
});
