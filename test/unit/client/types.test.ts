// These expectations are checked by `tsc -b`; at run time they have no effect.
import { expectTypeOf, test } from 'vitest';
import type {
  BodyOf,
  DataOf,
  InvalidAmountError,
  ItemOf,
  PathOf,
  Paydesk,
  RequestOptions,
  WebhookEvent,
  WebhookEventOf,
} from '../../../clients/node/src/index.ts';

test('paths accept only their own methods', () => {
  expectTypeOf<'/public/transaction'>().toExtend<PathOf<'post'>>();
  expectTypeOf<'/public/transaction'>().not.toExtend<PathOf<'get'>>();
  expectTypeOf<'/no/such/path'>().not.toExtend<PathOf<'get'>>();
});

test('bodies and results have the types of the OpenAPI document', () => {
  expectTypeOf<BodyOf<'post', '/public/refund'>>().toHaveProperty('transactionId').toEqualTypeOf<string>();
  expectTypeOf<DataOf<'post', '/public/transaction'>>().toHaveProperty('transactionId').toEqualTypeOf<string>();
  expectTypeOf<DataOf<'post', '/webhooks'>>().toHaveProperty('secret').toEqualTypeOf<string>();
  expectTypeOf<ItemOf<'/public/transaction-list'>>().toHaveProperty('amount').toEqualTypeOf<number>();
  expectTypeOf<InvalidAmountError['code']>().toEqualTypeOf<'INVALID_AMOUNT'>();
});

test('path parameters and required query parameters are required', () => {
  expectTypeOf<RequestOptions<'get', '/public/transaction/{id}'>>().toHaveProperty('params').toEqualTypeOf<{ id: string }>();
  expectTypeOf<RequestOptions<'get', '/public/merchant'>>().toHaveProperty('query').toEqualTypeOf<{ id: string }>();
  expectTypeOf<Record<never, never>>().toExtend<RequestOptions<'get', '/public/sdk-info'>>();
  const call = (paydesk: Paydesk) => ({
    transaction: paydesk.get('/public/transaction/{id}', { params: { id: 'txn_1' } }),
    sale: paydesk.post('/public/transaction', { Amount: '19.99' }),
    list: paydesk.list('/public/transaction-list', { query: { status: 'approved' } }),
  });
  expectTypeOf(call).returns.toHaveProperty('sale').resolves.toHaveProperty('status');
});

test('operations that delete a record take a body only if they declare one', () => {
  type Channel = RequestOptions<'delete', '/notifications/channels/{channel}'>;
  expectTypeOf<Channel>().toHaveProperty('body').toEqualTypeOf<{ currentPassword?: string; currentCode?: string }>();
  expectTypeOf<RequestOptions<'delete', '/customers/{id}'>>().toHaveProperty('body').toEqualTypeOf<undefined>();
  expectTypeOf<BodyOf<'post', '/recurring/{id}/resume'>>().toEqualTypeOf<undefined>();
});

test('operations that can need an approval take a reason', () => {
  expectTypeOf<RequestOptions<'post', '/public/refund'>>().toHaveProperty('approvalReason').toEqualTypeOf<string | undefined>();
  expectTypeOf<RequestOptions<'get', '/public/sdk-info'>>().toHaveProperty('approvalReason').toEqualTypeOf<undefined>();
});

test('results are never the response of an operation that waits for an approval', () => {
  type Waiting<M extends 'post' | 'put' | 'delete'> = {
    [P in PathOf<M>]: Extract<DataOf<M, P>, { approvalRequired: boolean } | { ApprovalRequired: boolean }> extends never ? never : P;
  }[PathOf<M>];
  expectTypeOf<Waiting<'post'>>().toBeNever();
  expectTypeOf<Waiting<'put'>>().toBeNever();
  expectTypeOf<Waiting<'delete'>>().toBeNever();
  expectTypeOf<DataOf<'post', '/public/refund'>>().toHaveProperty('refundId').toEqualTypeOf<string>();
  expectTypeOf<DataOf<'post', '/webhooks/{id}/catch-up'>>().toHaveProperty('catchUpId');
});

test('files have the type File, and forms take a Blob', () => {
  expectTypeOf<DataOf<'get', '/items/export'>>().toEqualTypeOf<File>();
  expectTypeOf<{ file: Blob; dryRun: string }>().toExtend<BodyOf<'post', '/items/import'>>();
  expectTypeOf<FormData>().toExtend<BodyOf<'post', '/items/import'>>();
  expectTypeOf<{ file: string }>().not.toExtend<BodyOf<'post', '/items/import'>>();
  expectTypeOf<'/changes'>().not.toExtend<PathOf<'get'>>();
});

test('the type of an event determines its data', () => {
  expectTypeOf<WebhookEventOf<'refund.processed'>['data']>().toHaveProperty('refundId').toEqualTypeOf<string>();
  const handle = (event: WebhookEvent) => (event.type === 'transaction.declined' ? event.data.declineReason : null);
  expectTypeOf(handle).toBeFunction();
});
