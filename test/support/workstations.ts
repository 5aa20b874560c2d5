import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { RunningServer, ServerOptions } from '#server';
import { setUpTenant } from './new-installation.ts';
import { type FreshDatabase, freshDatabase } from './postgres.ts';
import { sampleKeyFile } from './sample-data.ts';
import { type Api, apiOf } from './server.ts';
import { startServer } from './start-server.ts';
import { RECEIVER_CA_FILE } from './webhook-receiver.ts';

/** Servers that share a database and a master key, each with its own data directory. */
export interface Workstations {
  readonly apis: readonly Api[];
  readonly servers: readonly RunningServer[];
  readonly url: string;
  readonly masterKey: Buffer;
  /** Headers of the signed-in owner if an empty tenant was set up. */
  readonly headers: Record<string, string>;
  /** Starts another server. */
  join(options?: Partial<ServerOptions>): Promise<RunningServer>;
  stop(): Promise<void>;
}

/**
 * Starts servers on one PostgreSQL database: without `url` on a copy of the sample data, otherwise on that empty database, where an empty
 * tenant is set up.
 */
export async function startWorkstations(count: number, url?: string): Promise<Workstations> {
  const undo: (() => Promise<unknown>)[] = [];
  let fresh: FreshDatabase | undefined;
  if (url === undefined) {
    fresh = await freshDatabase(inject('seeded').template);
    undo.push(fresh.drop);
  }
  const databaseUrl = url ?? (fresh as FreshDatabase).url;
  const masterKey = url === undefined ? Buffer.from((await readFile(sampleKeyFile(), 'utf8')).trim(), 'hex') : randomBytes(32);
  const joinServer = async (options: Partial<ServerOptions> = {}) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-station-'));
    undo.push(() => rm(dataDir, { recursive: true, force: true }));
    const server = await startServer({
      dataDir,
      port: 0,
      databaseUrl,
      masterKey,
      demo: url === undefined,
      logLevel: 'silent',
      sandboxTimeoutMs: 40,
      // A payment whose request a workstation cannot complete is free after the longest time that the gateway may take.
      sandboxSlowMs: 40,
      webhookCa: RECEIVER_CA_FILE,
      ...options,
    });
    undo.push(() => server.close());
    return server;
  };
  const stop = async () => {
    for (const step of undo.reverse()) await step();
  };
  try {
    const servers: RunningServer[] = [];
    const first = await joinServer();
    servers.push(first);
    const tenant = url === undefined ? undefined : await setUpTenant(first.baseUrl);
    while (servers.length < count) servers.push(await joinServer());
    const apis = servers.map(({ baseUrl, credentials }) => {
      if (tenant) return tenant.at(baseUrl);
      if (!credentials) throw new Error('the demo tells its credentials');
      return apiOf(baseUrl, credentials);
    });
    return { apis, servers, url: databaseUrl, masterKey, headers: tenant?.headers ?? {}, join: joinServer, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Collects the topics of the change events that open screens of a server receive; `stop` ends the stream. */
export async function listenToChanges(baseUrl: string, headers: Record<string, string>): Promise<{ received: string[]; stop: () => void }> {
  const ending = new AbortController();
  const answer = await fetch(`${baseUrl}/api/v1/changes`, { headers, signal: ending.signal });
  if (answer.status !== 200 || !answer.body) throw new Error(`the stream is refused: ${answer.status} ${await answer.text()}`);
  const received: string[] = [];
  const read = async (stream: AsyncIterable<string>) => {
    let rest = '';
    for await (const chunk of stream) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('data: ')) received.push(...(JSON.parse(line.slice(6)) as { topics: string[] }).topics);
    }
  };
  read(answer.body.pipeThrough(new TextDecoderStream()) as unknown as AsyncIterable<string>).catch(() => {});
  return { received, stop: () => ending.abort() };
}
