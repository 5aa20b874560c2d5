// `npm run mcp -- [--url URL] [--tenant ID] [--allow refunds,invoices] [--live]` serves the Model Context Protocol on standard input and output.
// The API key comes from PAYDESK_API_KEY, so that it is in no list of processes (docs/agents.md).
import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Paydesk } from '@paydesk/client';
import packageJson from '../package.json' with { type: 'json' };
import { mcpServer } from './server.ts';
import { allowedTools, type OpenApi, toolsOf } from './tools.ts';

const USAGE = 'Usage: PAYDESK_API_KEY=pk_… npm run -s mcp -- --tenant ten_… [--url http://127.0.0.1:4801] [--allow AREA,AREA] [--live]';

/** Serves the tools of an API key on standard input and output until the input ends. @throws Error with a message for the operator. */
export async function runMcp(args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const options = { url: text, tenant: text, allow: text, live: { type: 'boolean' }, help: { type: 'boolean' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const { PAYDESK_URL, PAYDESK_TENANT, PAYDESK_API_KEY: apiKey } = process.env;
  const {
    url: baseUrl = PAYDESK_URL ?? 'http://127.0.0.1:4801',
    tenant: tenantId = PAYDESK_TENANT,
    allow = '',
    live = false,
    help,
  } = values;
  if (help) return console.error(USAGE);
  if (!apiKey || !tenantId) throw new Error(USAGE);
  const paydesk = new Paydesk({ baseUrl, tenantId, apiKey });
  const key = await paydesk.get('/public/api-key');
  if (key.environment === 'live' && !live) throw new Error('This is a live account. Start with --live if the agent should read its data.');
  const openApi = await (await fetch(`${baseUrl}/openapi.json`)).text();
  const areas = allow.split(',').filter((area) => area !== '');
  const tools = allowedTools(toolsOf(JSON.parse(openApi) as OpenApi), key, areas);
  const { version } = packageJson;
  serveStdio(() => mcpServer(paydesk, tools, openApi, version), { onerror: (error) => console.error(error.message) });
  console.error(
    `Serving ${tools.length} tools of ${key.name} (${key.environment}), ${tools.filter(({ isWrite }) => isWrite).length} of them for changes.`,
  );
}

if (import.meta.main) {
  await runMcp(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
