import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Ends with one sentence where Node is older than the platform needs. To be imported before anything else: what
 * an older Node cannot load would end it in words of its own.
 */
function checkNodeVersion(): void {
  const manifest = readFileSync(path.join(__dirname, '..', 'package.json'), 'utf8');
  const [, major = '0', minor = '0'] = /"node": ">=(\d+)\.(\d+)"/.exec(manifest) ?? [];
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
  if (ownMajor > Number(major) || (ownMajor === Number(major) && ownMinor >= Number(minor))) return;
  process.stderr.write(
    `This is Node ${process.versions.node}; the platform needs Node ${major}.${minor} or later.\n`,
  );
  process.exit(1);
}

checkNodeVersion();
