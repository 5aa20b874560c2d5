import type { KeyObject } from 'node:crypto';
import type { createRemoteJWKSet } from 'jose';
import type { Configuration } from 'openid-client';
import { Cache, type Database } from '#core/database';
import type { ApiKeyRow } from './schema.ts';

/** Key that signs tokens of a tenant. */
export interface SigningKey {
  readonly id: string;
  readonly tenantId: string;
  readonly key: KeyObject;
  readonly createdMs: number;
}

export type Caches = ReturnType<typeof createCaches>;

/** Memory of this process that the operations of identity share. */
export const createCaches = (database: Database) => ({
  signingKeys: new Cache<SigningKey>(database, 'signing-keys-by-id'),
  newestSigningKeys: new Cache<SigningKey>(database, 'signing-keys'),
  /** API keys by their hash. */
  apiKeys: new Cache<ApiKeyRow>(database, 'api-keys'),
  /** Origins of all valid keys with the time until which they hold; null without an end. */
  origins: new Cache<ReadonlyMap<string, string | null>>(database, 'origins'),
  /** Times at which the last use of an API key, and of a session, was recorded. */
  keyUses: new Map<string, number>(),
  sessionUses: new Map<string, number>(),
  /** Times at which a refused address of a credential was recorded. */
  refusedAddresses: new Map<string, number>(),
  /** Configurations of the providers of companies, and the keys that sign their logout tokens. */
  providers: new Map<string, { readonly config: Promise<Configuration>; readonly untilMs: number }>(),
  providerKeys: new Map<string, ReturnType<typeof createRemoteJWKSet>>(),
});
