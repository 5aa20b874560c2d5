/** The parts that the surfaces share: input and answer schemas, pages, records. */
export * from './customer.ts';
export * from './fields.ts';
export * from './identity.ts';
export * from './input.ts';
export * from './invoice.ts';
export * from './list.ts';
export * from './merchant.ts';
export * from './message.ts';
export * from './page.ts';
export * from './receipt.ts';
export * from './recurring.ts';
export * from './refund-queue.ts';
export * from './refusals.ts';
export * from './session.ts';
export * from './shapes.ts';
export * from './transaction.ts';
export * from './webhook.ts';
