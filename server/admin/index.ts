import { adminAuth } from './auth.ts';
import { adminRefunds } from './refunds.ts';
import { adminTransactions } from './transactions.ts';

/** The Admin surface: access token and X-Tenant-ID (specification 4.3 to 4.14). */
export const adminRoutes = [...adminAuth, ...adminTransactions, ...adminRefunds];
