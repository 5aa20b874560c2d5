import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Paydesk } from '@paydesk/client';
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
  delete<Result>(path: string, options?: { params?: object }): Promise<Result>;
}

/** The server that the options, the environment or the file of `--env` name, in this order. */
export class Connection {
  readonly #values: Readonly<Record<string, string | undefined>>;
  readonly url: string;

  constructor(command: Command) {
    const { url, env } = command.optsWithGlobals<{ url?: string; env: string }>();
    const stored = existsSync(env) ? parseEnv(readFileSync(env, 'utf8')) : {};
    this.#values = { ...stored, ...process.env };
    this.url = url ?? this.setting('url') ?? DEFAULT_URL;
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

  /** Returns the requests of the Admin surface, signed in as the administrator. */
  async asAdministrator(): Promise<Requests> {
    const { url: baseUrl } = this;
    const user = { tenantId: this.required('tenantId'), email: this.required('email'), password: this.required('password') };
    return (await Paydesk.signIn({ baseUrl, ...user })) as unknown as Requests;
  }
}
