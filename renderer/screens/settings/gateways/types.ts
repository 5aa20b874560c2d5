import type { Gateway, GatewayType } from '#renderer/base/client';

/** Settings of a gateway's account besides its credentials. */
export type GatewaySettings = NonNullable<Gateway['settings']>;
/** Result of the last check of the account by the processor. */
export type GatewayCheck = NonNullable<Gateway['check']>;
/** Health of the gateway as this server sees it. */
export type GatewayHealth = Gateway['health'];
export type CredentialField = GatewayType['credentials'][number];
