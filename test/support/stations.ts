import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type RunningServer, type ServerOptions, startServer } from '#server';
import { type FreshDatabase, freshDatabase } from './postgres.ts';
import { RECEIVER_CA_FILE } from './receiver.ts';
import { seededKeyFile } from './seeded.ts';
import { type Api, apiOf } from './server.ts';
import { setUpTenant } from './set-up.ts';

/** Servers that share a database and a master key, each with a data directory of its own. */
export interface Stations {
  readonly apis: readonly Api[];
  readonly servers: readonly RunningServer[];
  readonly url: string;
  readonly masterKey: Buffer;
  /** The headers of a signed-in owner where an empty tenant was set up. */
  readonly headers: Record<string, string>;
  /** Starts one more. */
  join(options?: Partial<ServerOptions>): Promise<RunningServer>;
  stop(): Promise<void>;
}

/**
 * Starts a number of stations on one PostgreSQL database: without `url` on a copy of the sample data, otherwise on that empty database, where an
 * empty tenant is set up.
 */
export async function startStations(count: number, url?: string): Promise<Stations> {
  const undo: (() => Promise<unknown>)[] = [];
  let fresh: FreshDatabase | undefined;
  if (url === undefined) {
    fresh = await freshDatabase(inject('seeded').template);
    undo.push(fresh.drop);
  }
  const databaseUrl = url ?? (fresh as FreshDatabase).url;
  const masterKey = url === undefined ? Buffer.from((await readFile(seededKeyFile(), 'utf8')).trim(), 'hex') : randomBytes(32);
  const join_ = async (options: Partial<ServerOptions> = {}) => {
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
    const first = await join_();
    servers.push(first);
    const tenant = url === undefined ? undefined : await setUpTenant(first.baseUrl);
    while (servers.length < count) servers.push(await join_());
    const apis = servers.map(({ baseUrl, credentials }) => {
      if (tenant) return tenant.at(baseUrl);
      if (!credentials) throw new Error('the demo tells its credentials');
      return apiOf(baseUrl, credentials);
    });
    return { apis, servers, url: databaseUrl, masterKey, headers: tenant?.headers ?? {}, join: join_, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The topics of the change events that a station's open screens hear, as they arrive; `stop` ends the stream. */
export async function hearChanges(baseUrl: string, headers: Record<string, string>): Promise<{ heard: string[]; stop: () => void }> {
  const ending = new AbortController();
  const answer = await fetch(`${baseUrl}/api/v1/changes`, { headers, signal: ending.signal });
  if (answer.status !== 200 || !answer.body) throw new Error(`the stream is refused: ${answer.status} ${await answer.text()}`);
  const heard: string[] = [];
  const read = async (stream: AsyncIterable<string>) => {
    let rest = '';
    for await (const chunk of stream) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('data: ')) heard.push(...(JSON.parse(line.slice(6)) as { topics: string[] }).topics);
    }
  };
  read(answer.body.pipeThrough(new TextDecoderStream()) as unknown as AsyncIterable<string>).catch(() => {});
  return { heard, stop: () => ending.abort() };
}
