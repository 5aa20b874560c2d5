import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';

export const ACCOUNT = 'AC0123456789abcdef0123456789abcdef';
export const TOKEN = 'canary-token-of-the-account';
export const SERVICE = 'MG0123456789abcdef0123456789abcdef';
export const FROM = '+15005550006';

export interface Text {
  readonly to: string;
  readonly body: string;
  readonly sender: string;
}

interface Refusal {
  readonly status: number;
  readonly code?: number;
  readonly message?: string;
}

/** A server that implements the Messages resource of Twilio according to its reference, and refuses other requests. */
export interface TextServer {
  readonly apiUrl: string;
  readonly texts: Text[];
  /** Errors in requests that no client of Twilio makes. */
  readonly faults: string[];
  answer: (text: Text) => Refusal | undefined;
  to(number: string): Text[];
  stop(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const FIELDS = new Set(['To', 'From', 'MessagingServiceSid', 'Body']);

/** Returns the error of a request according to Twilio's reference; null if it is valid. */
function faultOf(request: IncomingMessage, form: URLSearchParams): string | null {
  if (request.method !== 'POST') return `method ${request.method}`;
  if (request.url !== `/2010-04-01/Accounts/${ACCOUNT}/Messages.json`) return `path ${request.url}`;
  if (request.headers['content-type'] !== 'application/x-www-form-urlencoded') return `content type ${request.headers['content-type']}`;
  for (const name of form.keys()) if (!FIELDS.has(name) || form.getAll(name).length !== 1) return `field ${name}`;
  if (!/^\+[1-9]\d{6,14}$/.test(form.get('To') ?? '')) return `To ${form.get('To')}`;
  if (form.has('From') === form.has('MessagingServiceSid')) return 'one of From and MessagingServiceSid';
  const length = form.get('Body')?.length ?? 0;
  return length === 0 || length > 1_600 ? `Body of ${length}` : null;
}

const TLS = join(import.meta.dirname, '../../support/tls');

export async function startTextServer(scheme: 'http' | 'https' = 'http'): Promise<TextServer> {
  const texts: Text[] = [];
  const faults: string[] = [];
  const sockets = new Set<Socket>();
  let count = 0;
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const form = new URLSearchParams(await bodyOf(request));
    const send = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const refuse = ({ status, code = 0, message = '' }: Refusal) =>
      send(status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status });
    const login = Buffer.from(request.headers.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString();
    if (login !== `${ACCOUNT}:${TOKEN}`) return refuse({ status: 401, code: 20003, message: `Authenticate; you sent ${login}` });
    const fault = faultOf(request, form);
    if (fault !== null) {
      faults.push(fault);
      return refuse({ status: 400, code: 21600, message: fault });
    }
    const sender = form.get('From') ?? form.get('MessagingServiceSid') ?? '';
    const text = { to: form.get('To') ?? '', body: form.get('Body') ?? '', sender };
    const answer = server.answer(text);
    if (answer) return refuse(answer);
    texts.push(text);
    count += 1;
    const sid = `SM${String(count).padStart(32, '0')}`;
    return send(201, { sid, account_sid: ACCOUNT, to: text.to, body: text.body, status: 'queued', error_code: null, error_message: null });
  };
  const identity = { key: readFileSync(join(TLS, 'receiver-key.pem')), cert: readFileSync(join(TLS, 'receiver.pem')) };
  const http = scheme === 'https' ? createSecureServer(identity, take) : createServer(take);
  http.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const server: TextServer = {
    apiUrl: `${scheme}://localhost:${(http.address() as AddressInfo).port}`,
    texts,
    faults,
    answer: () => undefined,
    to: (number) => texts.filter(({ to }) => to === number),
    async stop() {
      const closed = new Promise((resolve) => http.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return server;
}
