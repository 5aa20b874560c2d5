import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Paydesk API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** Start script. If the screen of API keys has stored a key for this tab, it is filled in once and removed. */
const START = `window.ui = SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', validatorUrl: null, deepLinking: true, tryItOutEnabled: true, persistAuthorization: false,
  onComplete: function () {
    var stored = sessionStorage.getItem('paydesk.explorer');
    sessionStorage.removeItem('paydesk.explorer');
    if (!stored) return;
    var credentials = JSON.parse(stored);
    window.ui.preauthorizeApiKey('apiKey', credentials.apiKey);
    window.ui.preauthorizeApiKey('tenant', credentials.tenantId);
    window.ui.preauthorizeApiKey('sdkKey', credentials.apiKey);
  } });
`;

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Serves the API explorer from local files: it works without a network and loads nothing from other origins. */
export function addDocs(app: FastifyInstance, document: unknown): void {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const json = JSON.stringify(document);
  app.get('/openapi.json', (_, reply) => reply.type('application/json; charset=utf-8').send(json));
  app.get('/docs', (_, reply) => reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(PAGE));
  app.get('/docs/start.js', (_, reply) => reply.type('text/javascript; charset=utf-8').send(START));
  for (const [name, type] of Object.entries(FILES)) {
    app.get(`/docs/${name}`, async (_, reply) => reply.type(type).send(await readFile(join(folder, name))));
  }
}
