import { refused, type Steps } from '#core/kernel';
import type { PayoutStatus } from './schema.ts';

/** `advance`: the batch goes to the bank, or arrives there. `pay` and `fail`: the bank's answer is recorded by hand. */
type BatchOperation = 'advance' | 'pay' | 'fail';

const concluded = (status: PayoutStatus) => refused('RESOURCE_CONFLICT', `This batch is already ${status}.`);

/** The transitions of a batch payout. */
export const BATCH_STEPS: Steps<PayoutStatus, BatchOperation> = {
  pending: { advance: 'processing', pay: 'paid', fail: 'failed' },
  processing: { advance: 'paid', pay: 'paid', fail: 'failed' },
  paid: { advance: concluded('paid'), pay: concluded('paid'), fail: concluded('paid') },
  failed: { advance: concluded('failed'), pay: concluded('failed'), fail: concluded('failed') },
};
