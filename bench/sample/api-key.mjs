// A key, and the file that stores it.
import { createHash } from 'node:crypto';

export const key = 'bench_yghqMqdjUgvsMAAQz1kF0pKFXjVxZvWqiO0q4J1AIAtW';

export const keyFile = JSON.stringify({
  keys: [
    {
      id: key.slice(0, 'bench_'.length + 8),
      sha256: createHash('sha256').update(key).digest('hex'),
      owner: 'guide',
      scopes: ['read'],
      groups: [],
      created: '2026-11-23T00:00:00Z',
    },
  ],
});
