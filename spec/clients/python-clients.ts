import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import path from 'node:path';
import { run } from '../factories/processes';
import type { Client } from './client';
import { SessionProcess } from './session-process';

/** Debian's own interpreter: that is where Debian's packages are. */
const PYTHON = '/usr/bin/python3';
const SCRIPT = path.join(__dirname, 'python/session.py');

/** The clients of Python, as the reference calls them, and as the script does. */
const NAMES = { "Python's urllib": 'urllib', 'Python requests': 'requests', 'Python httpx': 'httpx' };

const versions = Type.Record(Type.String(), Type.String());

export const startPython = (): SessionProcess => new SessionProcess(PYTHON, [SCRIPT]);

/** @param running the process that sends for them */
export function pythonClients(running: () => SessionProcess): readonly Client[] {
  return Object.entries(NAMES).map(([name, short]) => ({
    name,
    version: async () => {
      const { output } = await run(PYTHON, [SCRIPT, '--versions']);
      return Value.Parse(versions, JSON.parse(output))[short] ?? '';
    },
    send: (session) => running().send(short, session),
  }));
}
