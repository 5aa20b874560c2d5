import { approvalRoutes } from '../approval-routes.ts';
import { connectivityRoutes } from '../connectivity-routes.ts';
import { discountRoutes } from '../discount-routes.ts';
import { disputeRoutes } from '../dispute-routes.ts';
import { eventRoutes } from '../event-routes.ts';
import { installmentRoutes } from '../installment-routes.ts';
import { itemRoutes } from '../item-routes.ts';
import { queuedPaymentRoutes } from '../queued-payment-routes.ts';
import { shiftRoutes } from '../shift-routes.ts';
import { surchargeQuoteRoute } from '../surcharge-routes.ts';
import { tenderRoutes } from '../tender-routes.ts';
import { webhookRoutes } from '../webhook-routes.ts';
import { publicAccess } from './access.ts';
import { publicCustomers } from './customers.ts';
import { publicLinks } from './links.ts';
import { publicOtp } from './otp.ts';
import { publicPayments } from './payments.ts';
import { publicSdkInfo } from './sdk-info.ts';
import { shopifyTransaction } from './shopify.ts';

/** Routes of the Public surface, with x-api-key and X-Tenant-ID. */
export const publicRoutes = [
  ...publicAccess,
  ...publicPayments,
  surchargeQuoteRoute('public', 'Public API'),
  shopifyTransaction,
  ...publicCustomers,
  ...publicLinks,
  ...disputeRoutes('public'),
  ...itemRoutes('public'),
  ...discountRoutes('public'),
  ...tenderRoutes('public'),
  ...shiftRoutes('public'),
  ...installmentRoutes('public'),
  ...queuedPaymentRoutes('public'),
  ...approvalRoutes('public'),
  ...connectivityRoutes('public'),
  ...publicOtp,
  ...publicSdkInfo,
  ...eventRoutes('public'),
  ...webhookRoutes('public', '/webhooks'),
];
