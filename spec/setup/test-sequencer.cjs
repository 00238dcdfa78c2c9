const path = require('node:path');
const { default: TestSequencer } = require('@jest/test-sequencer');

const WAITING = path.join(__dirname, '..', 'reliability') + path.sep;

/**
 * Spreads the suites that wait for clients most of the time over the first half of a run. At its end, where jest has the
 * shortest files, they would leave processors idle.
 */
module.exports = class extends TestSequencer {
  sort(tests) {
    const ordered = super.sort(tests);
    const others = ordered.filter(({ path: file }) => !file.startsWith(WAITING));
    const waiting = ordered.filter((test) => !others.includes(test));
    const distance = Math.ceil(others.length / 2 / (waiting.length + 1));
    waiting.forEach((test, at) => others.splice(at * (distance + 1), 0, test));
    return others;
  }
};
