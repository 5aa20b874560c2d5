export { type ChangeableOptions, type Page, Paydesk, type PaydeskOptions, type ResponseInfo, type SignIn } from './client.ts';
export { ApprovalRequiredError, ConnectionError, DeclinedError } from './errors.ts';
export * from './generated/error-classes.ts';
export type { BodyOf, DataOf, ItemOf, PathOf, RequestOptions } from './operations.ts';
export { type ErrorBody, PaydeskError } from './paydesk-error.ts';
export { verifyWebhook, type WebhookEvent, type WebhookEventOf, type WebhookHeaders, WebhookVerificationError } from './webhooks.ts';
