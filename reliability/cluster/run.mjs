// Nodes of a deployment with one Redis, which fails in every way. Exits with 1 if a nonce count was accepted twice, or if
// more than Digest suffers.
//
// node reliability/cluster/run.mjs [CLAIMS]
import { SHORT_FORM_PAUSE } from '../service/load.mjs';
import { requireProgram } from '../service/programs.mjs';
import { amountOf, Report } from '../service/report.mjs';
import { claims } from './claims.mjs';
import { slowRedis } from './slow-redis.mjs';

const amount = amountOf(process.argv[2] ?? '1000000', 'cluster', 'claims');
const program = requireProgram('redis-server');
const report = new Report();
const isShort = amount < 100_000;
await claims(program, amount, report, isShort ? SHORT_FORM_PAUSE : 0);
await slowRedis(program, isShort ? 2 : 20, report, isShort ? SHORT_FORM_PAUSE : 5);
report.end('counts accepted twice, and requests that failed');
