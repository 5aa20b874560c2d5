import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Paydesk } from '@paydesk/client';
import packageJson from '../package.json' with { type: 'json' };
import { mcpServer } from './server.ts';
import { allowedTools, type OpenApi, toolsOf } from './tools.ts';

interface Account {
  readonly baseUrl: string;
  readonly tenantId: string;
  readonly apiKey: string;
}

/**
 * Serves the tools of an API key on standard input and output until the input ends. `areas` are the permission areas in which the agent may change
 * something. @throws Error with a message for the operator, also for a live account without `live`.
 */
export async function serveMcp(account: Account, { areas, live }: { areas: readonly string[]; live: boolean }): Promise<void> {
  const paydesk = new Paydesk(account);
  const key = await paydesk.get('/public/api-key');
  if (key.environment === 'live' && !live) throw new Error('This is a live account. Start with --live if the agent should read its data.');
  const openApi = await (await fetch(`${account.baseUrl}/openapi.json`, { redirect: 'error' })).text();
  const tools = allowedTools(toolsOf(JSON.parse(openApi) as OpenApi), key, areas);
  const { version } = packageJson;
  serveStdio(() => mcpServer(paydesk, tools, openApi, version), { onerror: (error) => console.error(error.message) });
  console.error(
    `Serving ${tools.length} tools of ${key.name} (${key.environment}), ${tools.filter(({ isWrite }) => isWrite).length} of them for changes.`,
  );
}
