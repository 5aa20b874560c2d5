import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type ErrorBody, Paydesk, PaydeskError } from '@paydesk/client';
import type { Command } from 'commander';
import { CommandFailure, EXIT } from './exit-codes.ts';
import { outputOf } from './output.ts';

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
type FileRequest = (path: string, init?: { method: 'POST'; body?: FormData }) => Promise<Response>;

/** Credentials of a user without a second factor. */
export interface User {
  readonly email: string;
  readonly password: string;
}

/** File with settings that is read if the environment has none. */
export const ENV_FILE = '.env';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Settings of one place. Address and credentials never come from two, so that a file of strangers receives no credential of the environment. */
interface Source {
  readonly name: string;
  readonly isFile: boolean;
  readonly values: Readonly<Record<string, string | undefined>>;
}

/** The server of a command with the credentials for it, all from the environment or all from one file. */
export class Connection {
  readonly #source: Source;
  readonly url: string;

  /** @throws CommandFailure if the address is not allowed, or if `--url` names another server than the source of the credentials. */
  constructor(command: Command) {
    const { url: given, env } = command.optsWithGlobals<{ url?: string; env?: string }>();
    this.#source = sourceOf(env);
    const stored = this.setting('url');
    this.url = (given ?? stored ?? DEFAULT_URL).replace(/\/+$/, '');
    const { origin } = checkedAddress(this.url);
    if (stored !== undefined && checkedAddress(stored).origin !== origin)
      throw new CommandFailure(
        EXIT.usage,
        `--url is ${this.url}, but the credentials in ${this.#source.name} belong to ${stored}. Remove --url, or name a file with --env whose ${SETTINGS.url} is ${this.url}.`,
      );
    if (this.#source.isFile) outputOf(command).note(`Server: ${this.url} (from ${this.#source.name})`);
  }

  setting(name: Setting): string | undefined {
    return textOf(this.#source.values, name);
  }

  /** Returns a setting. @throws CommandFailure if it is missing. */
  required(name: Setting): string {
    const text = this.setting(name);
    if (text !== undefined) return text;
    const { name: source, isFile } = this.#source;
    const advice = isFile
      ? `Start a sandbox with \`paydesk up\`, which writes all settings to ${ENV_FILE}, or set all of them in the environment.`
      : `Set it there too, or remove the other PAYDESK_ variables, so that ${ENV_FILE} is read. Settings of two places are not mixed.`;
    throw new CommandFailure(EXIT.usage, `${SETTINGS[name]} is missing in ${source}. ${advice}`);
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
      const response = await fetch(`${url}/api/v1${path}`, { ...init, headers, redirect: 'error' });
      if (response.ok) return response;
      const { error } = (await response.json()) as { error: ErrorBody };
      throw new PaydeskError(error, response.status, response.headers.get('x-request-id'));
    };
  }
}

/** Returns the file of `--env`, otherwise the environment if it has one of the settings, otherwise the default file. @throws CommandFailure */
function sourceOf(env: string | undefined): Source {
  const isSet = Object.keys(SETTINGS).some((name) => textOf(process.env, name as Setting) !== undefined);
  if (env === undefined && isSet) return { name: 'the environment', isFile: false, values: process.env };
  const file = env ?? ENV_FILE;
  if (existsSync(file)) return { name: file, isFile: true, values: parseEnv(readFileSync(file, 'utf8')) };
  if (env === undefined) return { name: 'the environment', isFile: false, values: {} };
  throw new CommandFailure(EXIT.usage, `There is no file ${file}.`);
}

function textOf(values: Source['values'], name: Setting): string | undefined {
  const text = values[SETTINGS[name]];
  return text === '' ? undefined : text;
}

/** Returns an address of a server. @throws CommandFailure for one to which credentials would travel unencrypted. */
function checkedAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname))) return url;
  throw new CommandFailure(
    EXIT.usage,
    `${text} is not an address of a server. Use https://, or http:// for this computer only, because credentials are sent to it.`,
  );
}
