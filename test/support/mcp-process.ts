import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { BUNDLED_COMMAND } from './process.ts';
import { ROOT } from './sources.ts';

/** A message of the server. */
export interface Reply {
  readonly id: number;
  readonly result?: {
    readonly tools?: readonly { readonly name: string; readonly inputSchema: { readonly properties: Record<string, unknown> } }[];
    readonly resources?: readonly { readonly uri: string }[];
    readonly contents?: readonly { readonly text: string }[];
    readonly content?: readonly { readonly text: string }[];
    readonly isError?: boolean;
  };
  readonly error?: { readonly message: string };
}

// Processes that a failed test leaves.
const running = new Set<ReturnType<typeof spawn>>();

/** Ends all processes that `startMcp` started. */
export function stopMcp(): void {
  for (const child of running) child.kill();
  running.clear();
}

/** Starts `paydesk mcp` and speaks the protocol over its standard input and output. */
export function startMcp(env: Record<string, string>, ...flags: string[]) {
  const child = spawn(process.execPath, [BUNDLED_COMMAND, 'mcp', ...flags], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: 'pipe',
  });
  running.add(child);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const waiting = new Map<number, (reply: Reply) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const reply = JSON.parse(line) as Reply;
    waiting.get(reply.id)?.(reply);
  });
  let id = 0;
  const request = (method: string, params: object = {}) => {
    id += 1;
    const reply = new Promise<Reply>((resolve) => waiting.set(id, resolve));
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return reply;
  };
  const exited = new Promise<string>((resolve) => child.once('exit', () => resolve(errors)));
  return {
    exited,
    async open() {
      await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } });
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    },
    request,
    async call(name: string, given: object) {
      const { result, error } = await request('tools/call', { name, arguments: given });
      const [text = error?.message ?? '', ...notes] = result?.content?.map((each) => each.text) ?? [];
      return { isError: result?.isError ?? error !== undefined, text, note: notes.join('\n') };
    },
  };
}
