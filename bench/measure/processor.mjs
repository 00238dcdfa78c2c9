// CPU usage of the machine: detects rounds in which other processes used it too.
import { readFileSync } from 'node:fs';

/** Clock ticks a second in /proc (`getconf CLK_TCK`): 100 on every Linux that Node runs on. */
export const TICKS = 100;

/** CPU seconds per second that are ignored: background work of the system. */
const TOLERANCE = 0.05;

/** CPU seconds that are ignored in a short round: the resolution of the clock. */
const LEAST_TOLERANCE = 3 / TICKS;

/**
 * Starts observing; the returned function gives the CPU seconds that neither this process nor the service used, and
 * whether they are too many.
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
    return { others, foreign: others > Math.max(TOLERANCE * seconds, LEAST_TOLERANCE) };
  };
}

function ownSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * User, nice, system and stolen time of all CPUs. Interrupts are excluded: they are counted apart from the processes
 * they were for (proc(5)).
 */
function busySeconds() {
  const [, user, nice, system, , , , , steal = 0] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]
    .split(/\s+/)
    .map(Number);
  return (user + nice + system + steal) / TICKS;
}
