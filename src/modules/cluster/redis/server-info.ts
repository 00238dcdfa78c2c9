/** What a Redis or Valkey server says about itself. */
export interface ServerInfo {
  /** Changes when the process is another one, and when a replica is promoted: writes may be lost then. */
  readonly identity: string;
  readonly isReplica: boolean;
  /** Whether it is one of several servers that have different keys. */
  readonly isSharded: boolean;
  /** E.g. `noeviction`. */
  readonly evictionPolicy: string | undefined;
}

/** Parses the reply of `INFO`. @throws Error if it does not identify the server */
export function parseServerInfo(text: string): ServerInfo {
  const members = new Map(
    text.split('\r\n').flatMap((line) => {
      const end = line.indexOf(':');
      return end > 0 && !line.startsWith('#') ? [[line.slice(0, end), line.slice(end + 1)] as const] : [];
    }),
  );
  const runId = members.get('run_id');
  const replicationId = members.get('master_replid');
  if (runId === undefined || replicationId === undefined)
    throw new Error('INFO has no run_id or master_replid, so that a restart could not be noticed');
  return {
    identity: `${runId} ${replicationId}`,
    isReplica: members.get('role') === 'slave',
    isSharded: members.get('redis_mode') === 'cluster' || members.get('cluster_enabled') === '1',
    evictionPolicy: members.get('maxmemory_policy'),
  };
}
