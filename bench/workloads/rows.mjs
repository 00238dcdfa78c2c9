// Rows of a workload in which every server receives the same requests.

/**
 * @param {() => string} next the bytes of the next request
 * @param {(answer: object) => void} check
 * @param {number} [expect] the status of every response; defaults to any 2xx
 */
export function sameFor(next, check, expect) {
  const row = async (name, service, more) => ({ name, service: await service, next, check, expect, ...more });
  return {
    /** The bare server, or a peer. `complete`: with a log and the headers for browsers. */
    other: (name, service, complete = false) => row(name, service, { complete }),
    /** The kernel with hosting alone. */
    alone: (service) => row('hosting alone', service, { ours: true }),
    /** Hosting with the module of the documentation. */
    documented: (service) => row('with documentation', service, { ours: true }),
    /** All modules of the sample configuration, the access log in a file, security headers. */
    everything: (service) => row('everything on', service, { ours: true, complete: true }),
  };
}
