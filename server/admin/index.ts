import { adminAuth } from './auth.ts';
import { adminChanges } from './changes.ts';
import { adminRefundQueue } from './refund-queue.ts';
import { adminRefunds } from './refunds.ts';
import { adminSandbox } from './sandbox.ts';
import { adminTransactions } from './transactions.ts';
import { adminWebhooks } from './webhooks.ts';

/** The Admin surface: access token and X-Tenant-ID (specification 4.3 to 4.14). */
export const adminRoutes = [
  ...adminAuth,
  ...adminTransactions,
  ...adminRefunds,
  ...adminRefundQueue,
  ...adminWebhooks,
  ...adminSandbox,
  ...adminChanges,
];
