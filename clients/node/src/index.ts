export { type Page, Paydesk, type PaydeskOptions, type SignIn } from './client.ts';
export * from './error-classes.ts';
export { ConnectionError, DeclinedError } from './errors.ts';
export type { BodyOf, DataOf, ItemOf, PathOf, RequestOptions } from './operations.ts';
export { type ErrorBody, PaydeskError } from './paydesk-error.ts';
export { verifyWebhook, type WebhookEvent, type WebhookEventOf, type WebhookHeaders, WebhookVerificationError } from './webhooks.ts';
