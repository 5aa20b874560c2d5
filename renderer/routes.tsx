import { FirstScreen, NotFoundScreen, RequirePermission, RouteBoundary, Shell } from '#renderer/shell';
import { createScreenRouter } from './hash-router.ts';

const home = () => import('#renderer/screens/home');
const toDo = () => import('#renderer/screens/to-do');
const sell = () => import('#renderer/screens/sell');
const transactions = () => import('#renderer/screens/transactions');
const refundQueue = () => import('#renderer/screens/refund-queue');
const later = () => import('#renderer/screens/queued-payments');
const cash = () => import('#renderer/screens/cash');
const approvals = () => import('#renderer/screens/approvals');
const disputes = () => import('#renderer/screens/disputes');
const unconfirmedPayments = () => import('#renderer/screens/unconfirmed-payments');
const customers = () => import('#renderer/screens/customers');
const customerTransfer = () => import('#renderer/screens/customer-transfer');
const giftCards = () => import('#renderer/screens/gift-cards');
const recurring = () => import('#renderer/screens/recurring');
const invoices = () => import('#renderer/screens/invoices');
const settlement = () => import('#renderer/screens/settlement');
const reports = () => import('#renderer/screens/reports');
const reconciliation = () => import('#renderer/screens/reconciliation');
const bank = () => import('#renderer/screens/bank');
const orders = () => import('#renderer/screens/orders');
const messages = () => import('#renderer/screens/messages');
const webhooks = () => import('#renderer/screens/webhooks');
const apiKeys = () => import('#renderer/screens/api-keys');
const users = () => import('#renderer/screens/users');
const settings = () => import('#renderer/screens/settings');
const audit = () => import('#renderer/screens/audit');
const system = () => import('#renderer/screens/system');

/** Loads the screens in idle time, so that a key opens each of them immediately. */
export function fetchScreensAhead(): void {
  const fetchAll = () =>
    void Promise.allSettled([home(), sell(), transactions(), refundQueue(), customers(), recurring(), invoices(), webhooks()]);
  if ('requestIdleCallback' in window) requestIdleCallback(fetchAll);
  else setTimeout(fetchAll);
}

/** Paths of the screens, each loaded when it is first opened. They follow a hash, so that any server can serve the page. */
export const router = createScreenRouter([
  {
    element: <Shell />,
    errorElement: <RouteBoundary />,
    // Nothing is shown before the first screen is loaded.
    hydrateFallbackElement: <></>,
    children: [
      { index: true, element: <FirstScreen /> },
      {
        element: <RequirePermission permission="reporting:read" />,
        children: [
          { path: 'home', lazy: async () => ({ Component: (await home()).HomeScreen }) },
          { path: 'to-do', lazy: async () => ({ Component: (await toDo()).ToDoScreen }) },
        ],
      },
      {
        element: <RequirePermission permission="transactions:write" />,
        children: [{ path: 'sell', lazy: async () => ({ Component: (await sell()).SellScreen }) }],
      },
      {
        element: <RequirePermission permission="transactions:read" />,
        children: [
          {
            path: 'transactions/:transactionId?',
            lazy: async () => ({ Component: (await transactions()).TransactionsScreen }),
          },
          { path: 'orders/:orderId', lazy: async () => ({ Component: (await orders()).OrderScreen }) },
        ],
      },
      {
        element: <RequirePermission permission="refunds:read" />,
        children: [{ path: 'refund-queue/:entryId?', lazy: async () => ({ Component: (await refundQueue()).RefundQueueScreen }) }],
      },
      {
        element: <RequirePermission permission="tenders:read" />,
        children: [{ path: 'cash/:openId?', lazy: async () => ({ Component: (await cash()).CashScreen }) }],
      },
      {
        element: <RequirePermission permission="gift-cards:read" />,
        children: [{ path: 'gift-cards/:giftCardId?', lazy: async () => ({ Component: (await giftCards()).GiftCardsScreen }) }],
      },
      {
        element: <RequirePermission permission="queued-payments:read" />,
        children: [{ path: 'queued-payments/:queuedPaymentId?', lazy: async () => ({ Component: (await later()).QueuedPaymentsScreen }) }],
      },
      {
        element: <RequirePermission permission="disputes:read" />,
        children: [{ path: 'disputes/:disputeId?', lazy: async () => ({ Component: (await disputes()).DisputesScreen }) }],
      },
      {
        element: <RequirePermission permission="approvals:read" />,
        children: [{ path: 'approvals/:approvalId?', lazy: async () => ({ Component: (await approvals()).ApprovalsScreen }) }],
      },
      {
        element: <RequirePermission permission="transactions:read" />,
        children: [
          {
            path: 'unconfirmed-payments/:operationId?',
            lazy: async () => ({ Component: (await unconfirmedPayments()).UnconfirmedPaymentsScreen }),
          },
        ],
      },
      {
        element: <RequirePermission permission="customers:read" />,
        children: [
          { path: 'customers/transfer/:tab?', lazy: async () => ({ Component: (await customerTransfer()).TransferScreen }) },
          { path: 'customers/:customerId?', lazy: async () => ({ Component: (await customers()).CustomersScreen }) },
        ],
      },
      {
        element: <RequirePermission permission="recurring:read" />,
        children: [
          {
            path: 'recurring/installments/:installmentPlanId?',
            lazy: async () => ({ Component: (await recurring()).InstallmentPlansScreen }),
          },
          { path: 'recurring/:subscriptionId?', lazy: async () => ({ Component: (await recurring()).RecurringScreen }) },
        ],
      },
      {
        element: <RequirePermission permission="invoices:read" />,
        children: [{ path: 'invoices/:invoiceId?/:act?', lazy: async () => ({ Component: (await invoices()).InvoicesScreen }) }],
      },
      {
        element: <RequirePermission permission="settlement:read" />,
        children: [{ path: 'settlement/:openId?', lazy: async () => ({ Component: (await settlement()).SettlementScreen }) }],
      },
      {
        element: <RequirePermission permission="reporting:read" />,
        children: [{ path: 'reports/:tab?', lazy: async () => ({ Component: (await reports()).ReportsScreen }) }],
      },
      {
        element: <RequirePermission permission="settlement:read" />,
        children: [
          { path: 'reconciliation/bank', lazy: async () => ({ Component: (await bank()).BankScreen }) },
          { path: 'reconciliation/close/:period?', lazy: async () => ({ Component: (await bank()).CloseScreen }) },
          { path: 'reconciliation/:date?', lazy: async () => ({ Component: (await reconciliation()).ReconciliationScreen }) },
        ],
      },
      {
        element: <RequirePermission permission="notifications:read" />,
        children: [{ path: 'messages/:messageId?', lazy: async () => ({ Component: (await messages()).MessagesScreen }) }],
      },
      {
        element: <RequirePermission permission="webhooks:read" />,
        children: [
          { path: 'webhooks', lazy: async () => ({ Component: (await webhooks()).WebhooksScreen }) },
          { path: 'events/:eventId?', lazy: async () => ({ Component: (await webhooks()).EventsScreen }) },
          { path: 'webhooks/:endpointId/:deliveryId?', lazy: async () => ({ Component: (await webhooks()).EndpointScreen }) },
        ],
      },
      {
        element: <RequirePermission permission="api-keys:read" />,
        children: [{ path: 'api-keys/:tab?', lazy: async () => ({ Component: (await apiKeys()).ApiKeysScreen }) }],
      },
      {
        element: <RequirePermission permission="users:read" />,
        children: [{ path: 'users/:tab?', lazy: async () => ({ Component: (await users()).UsersScreen }) }],
      },
      {
        element: <RequirePermission permission="merchants:read" />,
        children: [{ path: 'settings/:tab?', lazy: async () => ({ Component: (await settings()).SettingsScreen }) }],
      },
      {
        element: <RequirePermission permission="audit:read" />,
        children: [{ path: 'audit/:tab?', lazy: async () => ({ Component: (await audit()).AuditScreen }) }],
      },
      {
        element: <RequirePermission permission="settings:read" />,
        children: [{ path: 'system/:tab?', lazy: async () => ({ Component: (await system()).SystemScreen }) }],
      },
      { path: '*', element: <NotFoundScreen /> },
    ],
  },
]);
