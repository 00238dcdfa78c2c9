// What the machine's processors did: to know a round in which others had them too.
import { readFileSync } from 'node:fs';

/** Clock ticks a second in /proc (`getconf CLK_TCK`): 100 on every Linux that Node runs on. */
export const TICKS = 100;

/** Processor seconds that go unnoticed of every second: the system's own chores, and the grain of its clock. */
const TOLERANCE = 0.05;

/**
 * Watches from now on, until what it returns is called: that gives the processor seconds that neither this process
 * nor the service used, and whether they are too many.
 * @param {{ cpuSeconds(): number }} service
 */
export function watchOthers(service) {
  const began = {
    at: performance.now(),
    busy: busySeconds(),
    own: ownSeconds(),
    service: service.cpuSeconds(),
  };
  return () => {
    const seconds = (performance.now() - began.at) / 1000;
    const known = ownSeconds() - began.own + (service.cpuSeconds() - began.service);
    const others = Math.max(0, busySeconds() - began.busy - known);
    return { others, foreign: others > TOLERANCE * Math.max(seconds, 1) };
  };
}

function ownSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * User, nice, system and stolen time of all processors. Interrupts are left out: they are counted apart from the
 * processes that they were for (proc(5)).
 */
function busySeconds() {
  const [, user, nice, system, , , , , steal = 0] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]
    .split(/\s+/)
    .map(Number);
  return (user + nice + system + steal) / TICKS;
}
