import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type ErrorBody, Paydesk, PaydeskError } from '@paydesk/client';
import type { Command } from 'commander';
import { CommandFailure, EXIT } from './exit-codes.ts';

/** Names of the settings in the environment and in the file that `paydesk up` writes. */
export const SETTINGS = {
  url: 'PAYDESK_URL',
  tenantId: 'PAYDESK_TENANT_ID',
  apiKey: 'PAYDESK_API_KEY',
  email: 'PAYDESK_ADMIN_EMAIL',
  password: 'PAYDESK_ADMIN_PASSWORD',
  webhookSecret: 'PAYDESK_WEBHOOK_SECRET',
} as const;

type Setting = keyof typeof SETTINGS;

export const DEFAULT_URL = 'http://127.0.0.1:4801';

/** The requests of a command. Bodies are not typed, because users set any field with `--set`. */
export interface Requests {
  get<Result>(path: string, options?: { params?: object; query?: object; signal?: AbortSignal }): Promise<Result>;
  post<Result>(path: string, body?: object, options?: { params?: object }): Promise<Result>;
  put<Result>(path: string, body: object, options?: { params?: object }): Promise<Result>;
  delete<Result>(path: string, options?: { params?: object; body?: object }): Promise<Result>;
}

/** Sends a request whose body or response is a file, to a path of the Admin surface. @throws PaydeskError for an error response. */
export type FileRequest = (path: string, init?: { method: 'POST'; body?: FormData }) => Promise<Response>;

/** Credentials of a user without a second factor. */
export interface User {
  readonly email: string;
  readonly password: string;
}

/** The server that the options, the environment or the file of `--env` name, in this order. */
export class Connection {
  readonly #values: Readonly<Record<string, string | undefined>>;
  readonly url: string;

  constructor(command: Command) {
    const { url, env } = command.optsWithGlobals<{ url?: string; env: string }>();
    const stored = existsSync(env) ? parseEnv(readFileSync(env, 'utf8')) : {};
    this.#values = { ...stored, ...process.env };
    this.url = (url ?? this.setting('url') ?? DEFAULT_URL).replace(/\/+$/, '');
  }

  setting(name: Setting): string | undefined {
    const text = this.#values[SETTINGS[name]];
    return text === '' ? undefined : text;
  }

  /** Returns a setting. @throws CommandFailure if it is missing. */
  required(name: Setting): string {
    const text = this.setting(name);
    if (text !== undefined) return text;
    throw new CommandFailure(
      EXIT.usage,
      `${SETTINGS[name]} is missing. Start a sandbox with \`paydesk up\`, which writes it to .env, or set it in the environment.`,
    );
  }

  /** Returns the requests of the Public surface, with the API key. `retries` is the number of repeated attempts. */
  withApiKey(retries?: number): Requests {
    const options = { baseUrl: this.url, tenantId: this.required('tenantId'), apiKey: this.required('apiKey') };
    return new Paydesk({ ...options, ...(retries === undefined ? {} : { retries }) }) as unknown as Requests;
  }

  /** Returns the requests of the Admin surface, signed in as the administrator. `fetch` replaces the global one. */
  asAdministrator(fetch?: typeof globalThis.fetch): Promise<Requests> {
    return this.asUser({ email: this.required('email'), password: this.required('password') }, fetch);
  }

  /** Returns the requests of the Admin surface, signed in as a user. */
  async asUser(user: User, fetch?: typeof globalThis.fetch): Promise<Requests> {
    const account = { baseUrl: this.url, tenantId: this.required('tenantId') };
    return (await Paydesk.signIn({ ...account, ...user, ...(fetch === undefined ? {} : { fetch }) })) as unknown as Requests;
  }

  /** Returns the requests that need no credential, such as signing in. */
  withoutCredential(): Requests {
    return new Paydesk({ baseUrl: this.url, tenantId: this.required('tenantId') }) as unknown as Requests;
  }

  /** Returns a function for requests with files, signed in as the administrator. */
  async fileRequest(): Promise<FileRequest> {
    const { url } = this;
    const user = { tenantId: this.required('tenantId'), email: this.required('email'), password: this.required('password') };
    const session = await new Paydesk({ baseUrl: url }).post('/public/accesstoken', user);
    if (!('token' in session)) throw new CommandFailure(EXIT.denied, 'This user has a second factor. Use a user without one.');
    const headers = { 'x-tenant-id': user.tenantId, authorization: `Bearer ${session.token}` };
    return async (path, init) => {
      const response = await fetch(`${url}/api/v1${path}`, { ...init, headers });
      if (response.ok) return response;
      const { error } = (await response.json()) as { error: ErrorBody };
      throw new PaydeskError(error, response.status, response.headers.get('x-request-id'));
    };
  }
}
