// The reliability tests in the order of `npm run reliability`, by name: the script of each. A number after the name
// sets its amount: rounds, requests or seconds.
export const TESTS = {
  files: 'files/run.mjs',
  databases: 'databases/run.mjs',
  streams: 'streams.mjs',
  restarts: 'service/restarts.mjs',
  workers: 'service/workers.mjs',
  cluster: 'cluster/run.mjs',
  reloads: 'service/reloads.mjs',
  outputs: 'service/outputs.mjs',
  slow: 'service/slow.mjs',
  clock: 'service/clock.mjs',
  soak: 'service/soak.mjs',
  fuzz: 'fuzz/run.mjs',
  certificates: 'edge/certificates.mjs',
  forwarding: 'edge/forwarding.mjs',
  smuggling: 'edge/smuggling.mjs',
};
