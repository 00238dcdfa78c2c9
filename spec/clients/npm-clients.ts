import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '../factories/processes/processes';
import type { Client } from './client';
import { SessionProcess } from './session-process';

const FOLDER = path.join(__dirname, 'npm');

const manifest = Type.Object({ dependencies: Type.Record(Type.String(), Type.String()) });

/** The packages pinned for the specs, with their versions. */
function pinned(): ReadonlyMap<string, string> {
  const text = readFileSync(path.join(FOLDER, 'package.json'), 'utf8');
  return new Map(Object.entries(Value.Parse(manifest, JSON.parse(text)).dependencies));
}

function isInstalled(name: string, version: string): boolean {
  const file = path.join(FOLDER, 'node_modules', name, 'package.json');
  return existsSync(file) && readFileSync(file, 'utf8').includes(`"version": "${version}"`);
}

/** Installs the pinned packages when one is missing or has another version. Rejects when that fails. */
export async function installNpmClients(): Promise<void> {
  if ([...pinned()].every(([name, version]) => isInstalled(name, version))) return;
  const { code, output } = await run('npm', ['ci', '--prefix', FOLDER, '--ignore-scripts', '--no-audit']);
  if (code !== 0) throw new Error(output);
}

export const startNpm = (): SessionProcess =>
  new SessionProcess(process.execPath, [path.join(FOLDER, 'session.mjs')]);

/** @param running the process that sends for them */
export function npmClients(running: () => SessionProcess): readonly Client[] {
  return [...pinned()].map(([name, version]) => ({
    name: `npm ${name}`,
    version: () => Promise.resolve(version),
    send: (session) => running().send(name, session),
  }));
}
