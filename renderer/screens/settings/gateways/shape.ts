import type { Gateway, GatewayType } from '#renderer/client';

/** What the account of a gateway needs beside its credentials. */
export type GatewaySettings = NonNullable<Gateway['settings']>;
/** What the processor said of the account when it was asked last. */
export type GatewayCheck = NonNullable<Gateway['check']>;
/** Whether it answers, as this server has seen it. */
export type GatewayHealth = Gateway['health'];
export type CredentialField = GatewayType['credentials'][number];
