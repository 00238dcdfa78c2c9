// Counts checks and their findings.
let passed = 0;
const findings = [];

/** Records a check and its findings; an empty list is a pass. */
export function check(name, found) {
  if (found.length === 0) {
    passed += 1;
    return;
  }
  findings.push(name);
  console.error(`\n✗ ${name}\n${found.map((one) => `  ${String(one).replaceAll('\n', '\n  ')}`).join('\n')}`);
}

export const counts = () => ({ passed, failed: findings.length });
