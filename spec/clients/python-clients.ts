import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import path from 'node:path';
import { run } from '../factories/processes/processes';
import type { Client } from './client';
import { SessionProcess } from './session-process';
import { executableOf } from '../factories/processes/programs';

/** The interpreter that has the packages. */
const python = (): string => executableOf('python3-requests');
const SCRIPT = path.join(__dirname, 'python/session.py');

/** The Python clients, with their names in the reference and in the script. */
const NAMES = { "Python's urllib": 'urllib', 'Python requests': 'requests', 'Python httpx': 'httpx' };

const versions = Type.Record(Type.String(), Type.String());

export const startPython = (): SessionProcess => new SessionProcess(python(), [SCRIPT]);

/** @param running the process that sends for them */
export function pythonClients(running: () => SessionProcess): readonly Client[] {
  return Object.entries(NAMES).map(([name, short]) => ({
    name,
    version: async () => {
      const { output } = await run(python(), [SCRIPT, '--versions']);
      return Value.Parse(versions, JSON.parse(output))[short] ?? '';
    },
    send: (session) => running().send(short, session),
  }));
}
