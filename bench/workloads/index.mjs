// Every workload, in the order of measurement.
import { measureWorkload } from '../measure/measure-workload.mjs';
import admin from './admin.mjs';
import apiKey from './api-key.mjs';
import basic from './basic.mjs';
import database from './database.mjs';
import digest from './digest.mjs';
import digestRedis from './digest-redis.mjs';
import documentation from './documentation.mjs';
import generator from './generator.mjs';
import growth from './growth.mjs';
import guarded from './guarded.mjs';
import hal from './hal.mjs';
import json, { asyncJson } from './json.mjs';
import manyServices from './many-services.mjs';
import memory from './memory.mjs';
import mix from './mix.mjs';
import nodeVersions from './node-versions.mjs';
import page from './page.mjs';
import post from './post.mjs';
import queries from './query.mjs';
import reading from './reading.mjs';
import refused from './refused.mjs';
import services from './services.mjs';
import start from './start.mjs';
import startTables from './start-tables.mjs';

/** The workloads that are rounds of requests. */
const rounds = [
  json,
  asyncJson,
  ...queries,
  page,
  services,
  ...documentation,
  basic,
  apiKey,
  digest,
  digestRedis,
  post,
  hal,
  refused,
  guarded,
  mix,
  ...database,
  ...growth,
];

/**
 * @typedef {object} Measurement
 * @property {string} name as in `npm run bench -- NAME`
 * @property {string} title
 * @property {(options: import('../measure/options.mjs').Options) => Promise<{ text: string, verdicts: object[], failed:
 * number }>} measure
 */

const toMeasurement = (workload) => ({
  name: workload.name,
  title: workload.title,
  measure: (options) => measureWorkload(workload, options),
});

/** @type {readonly Measurement[]} */
export const measurements = [
  generator,
  ...rounds.map(toMeasurement),
  nodeVersions,
  start,
  manyServices,
  startTables,
  memory,
  admin,
  reading,
];
