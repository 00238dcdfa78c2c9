// What is counted: checks that found nothing, and findings.
let passed = 0;
const findings = [];

/** Notes a check, by name, with what it found: nothing where all is well. */
export function check(name, found) {
  if (found.length === 0) {
    passed += 1;
    return;
  }
  findings.push(name);
  console.error(`\n✗ ${name}\n${found.map((one) => `  ${String(one).replaceAll('\n', '\n  ')}`).join('\n')}`);
}

export const counts = () => ({ passed, failed: findings.length });
