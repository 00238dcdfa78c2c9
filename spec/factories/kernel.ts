import { EventManager, failureLogger, Kernel, type RequestEvents } from '../../src/framework';
import { MemoryLog } from './platform';

/** A kernel whose events are recorded. */
export function observedKernel(): {
  kernel: Kernel;
  events: EventManager<RequestEvents>;
  names: string[];
  log: MemoryLog;
} {
  const events = new EventManager<RequestEvents>();
  const names: string[] = [];
  events.attach('*', (event) => void names.push(event.name), 10_000);
  const log = new MemoryLog();
  return { kernel: new Kernel(events, failureLogger(log)), events, names, log };
}
