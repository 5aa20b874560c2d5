import { publicOtp } from './access/otp.ts';
import { publicAccess } from './access/public.ts';
import { approvalRoutes } from './approvals/routes.ts';
import { cardSaveRoutes } from './card-saves/routes.ts';
import { connectivityRoutes } from './connectivity/routes.ts';
import { publicCustomers } from './customers/public.ts';
import { statementRoutes } from './customers/statements.ts';
import { discountRoutes } from './discounts/routes.ts';
import { disputeRoutes } from './disputes/routes.ts';
import { giftCardRoutes } from './gift-cards/routes.ts';
import { installmentRoutes } from './installments/routes.ts';
import { publicLinks } from './invoices/links.ts';
import { itemRoutes } from './items/routes.ts';
import { orderRoutes } from './orders/routes.ts';
import { publicPayments } from './payments/public.ts';
import { shopifyTransaction } from './payments/shopify.ts';
import { queuedPaymentRoutes } from './queued-payments/routes.ts';
import { shiftRoutes } from './shifts/routes.ts';
import { surchargeQuoteRoute } from './surcharge/routes.ts';
import { publicSdkInfo } from './system/sdk-info.ts';
import { tenderRoutes } from './tenders/routes.ts';
import { terminalRoutes } from './terminals/routes.ts';
import { eventRoutes } from './webhooks/event-routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** Routes of the Public surface, with x-api-key and X-Tenant-ID. */
export const publicRoutes = [
  ...publicAccess,
  ...publicPayments,
  surchargeQuoteRoute('public', 'Public API'),
  shopifyTransaction,
  ...publicCustomers,
  ...statementRoutes({ surface: 'public', tag: 'Public API', customerPath: '/customer' }),
  ...publicLinks,
  ...disputeRoutes('public'),
  ...itemRoutes('public'),
  ...discountRoutes('public'),
  ...tenderRoutes('public'),
  ...orderRoutes('public'),
  ...giftCardRoutes('public'),
  ...shiftRoutes('public'),
  ...terminalRoutes('public'),
  ...cardSaveRoutes('public'),
  ...installmentRoutes('public'),
  ...queuedPaymentRoutes('public'),
  ...approvalRoutes('public'),
  ...connectivityRoutes('public'),
  ...publicOtp,
  ...publicSdkInfo,
  ...eventRoutes('public'),
  ...webhookRoutes('public', '/webhooks'),
];
