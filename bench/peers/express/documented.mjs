// Express with a documentation page that nunjucks renders for each request.
import path from 'node:path';
import express from 'express';
import nunjucks from 'nunjucks';
import { documentedCount, entityFields, operations } from '../../sample/documented.mjs';
import { listen } from '../listen.mjs';
import { createServer } from 'node:http';

const app = express();
nunjucks.configure(path.join(import.meta.dirname, 'views'), { autoescape: true, express: app });

const services = Array.from({ length: documentedCount }, (_, at) => ({
  name: `Service${at}`,
  route: `/service-${at}`,
  operations: Object.entries(operations).map(([name, description]) => ({ name, description })),
  fields: Object.entries(entityFields(at).properties).map(([name, field]) => ({ name, ...field })),
}));

app.get('/documentation', (request, response) => {
  if (!request.accepts('html')) return response.sendStatus(406);
  return response.render('documentation.njk', { title: 'Documented', services });
});

listen(createServer(app));
