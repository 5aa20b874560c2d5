import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PostgresPair } from './postgres-pair.ts';

/** The REST API of Patroni over a pair of PostgreSQL servers, as far as Paydesk uses it. */
export interface FakePatroni {
  readonly url: string;
  /** Requests for a switchover, with their bodies. */
  readonly requests: unknown[];
  /** Reason to refuse switchovers with status 412; null to carry them out. */
  refusal: string | null;
  stop(): Promise<void>;
}

/** Starts the API. A switchover kills the primary and promotes the standby. Every request needs the user `patroni` with the password `secret`. */
export async function startFakePatroni(pair: PostgresPair): Promise<FakePatroni> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: string) => void response.writeHead(status).end(body);
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const login = `Basic ${Buffer.from('patroni:secret').toString('base64')}`;
      if (request.headers.authorization !== login) return answer(401, 'no auth header received');
      if (request.method === 'GET' && request.url === '/cluster') {
        const members = [
          { name: 'db2', role: 'sync_standby', state: 'streaming' },
          { name: 'db1', role: 'leader', state: 'running' },
        ];
        return answer(200, JSON.stringify({ members, scope: 'paydesk' }));
      }
      if (request.method !== 'POST' || request.url !== '/switchover') return answer(404, '');
      fake.requests.push(JSON.parse(text));
      if (fake.refusal !== null) return answer(412, fake.refusal);
      void pair
        .kill()
        .then(() => pair.promote())
        .then(
          () => answer(200, 'Successfully switched over to "db2"'),
          (error: Error) => answer(500, error.message),
        );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const fake: FakePatroni = {
    url: `http://patroni:secret@127.0.0.1:${port}`,
    requests: [],
    refusal: null,
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  };
  return fake;
}
