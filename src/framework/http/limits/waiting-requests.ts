import type { ServerResponse } from 'node:http';

/** Undefined until a request has to wait: without limits, none is looked up. */
let arrivals: WeakMap<ServerResponse, number> | undefined;

/** Notes when a request arrived that has to wait for others. */
export function noteArrival(outgoing: ServerResponse): void {
  (arrivals ??= new WeakMap()).set(outgoing, performance.now());
}

/** `performance.now()` when a request arrived that is handled now. */
export function arrivalOf(outgoing: ServerResponse): number {
  return arrivals?.get(outgoing) ?? performance.now();
}
