import { openApiDocument } from '#server/openapi';
import { allRoutes } from './routes/index.ts';

/** Prints the OpenAPI document without starting a server; no route is called. */
const absent = () => {
  throw new Error('no server is running');
};
const routes = allRoutes(
  { dataDir: '', isSetUp: async () => true, examineDatabase: absent, join: absent, setUp: absent, restore: absent },
  absent,
);
process.stdout.write(`${JSON.stringify(openApiDocument(routes), null, 2)}\n`);
