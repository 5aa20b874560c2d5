import { createHashRouter, replace } from 'react-router';
import { Allowed, NotFoundScreen, RouteBoundary, Shell } from '#renderer/shell';

const sell = () => import('#renderer/screens/sell');
const transactions = () => import('#renderer/screens/transactions');
const refundQueue = () => import('#renderer/screens/refund-queue');
const doubts = () => import('#renderer/screens/doubts');
const customers = () => import('#renderer/screens/customers');
const recurring = () => import('#renderer/screens/recurring');
const invoices = () => import('#renderer/screens/invoices');
const settlement = () => import('#renderer/screens/settlement');
const reports = () => import('#renderer/screens/reports');
const reconciliation = () => import('#renderer/screens/reconciliation');
const messages = () => import('#renderer/screens/messages');
const webhooks = () => import('#renderer/screens/webhooks');
const apiKeys = () => import('#renderer/screens/api-keys');
const users = () => import('#renderer/screens/users');
const settings = () => import('#renderer/screens/settings');
const audit = () => import('#renderer/screens/audit');
const system = () => import('#renderer/screens/system');

/** Loads the screens in idle time, so that a key opens each of them immediately. */
export function fetchScreensAhead(): void {
  const fetchAll = () => void Promise.allSettled([sell(), transactions(), refundQueue(), customers(), recurring(), invoices(), webhooks()]);
  if ('requestIdleCallback' in window) requestIdleCallback(fetchAll);
  else setTimeout(fetchAll);
}

/** Paths and their screens, each fetched when it is first opened. Behind a hash, so that any server can serve the page. */
export const router = createHashRouter([
  {
    element: <Shell />,
    errorElement: <RouteBoundary />,
    // Nothing is shown before the first screen has come.
    hydrateFallbackElement: <></>,
    children: [
      { index: true, loader: () => replace('/sell') },
      {
        element: <Allowed permission="transactions:write" />,
        children: [{ path: 'sell', lazy: async () => ({ Component: (await sell()).SellScreen }) }],
      },
      {
        element: <Allowed permission="transactions:read" />,
        children: [
          {
            path: 'transactions/:transactionId?',
            lazy: async () => ({ Component: (await transactions()).TransactionsScreen }),
          },
        ],
      },
      {
        element: <Allowed permission="refunds:read" />,
        children: [{ path: 'refund-queue/:entryId?', lazy: async () => ({ Component: (await refundQueue()).RefundQueueScreen }) }],
      },
      {
        element: <Allowed permission="transactions:read" />,
        children: [{ path: 'doubts', lazy: async () => ({ Component: (await doubts()).DoubtsScreen }) }],
      },
      {
        element: <Allowed permission="customers:read" />,
        children: [{ path: 'customers/:customerId?', lazy: async () => ({ Component: (await customers()).CustomersScreen }) }],
      },
      {
        element: <Allowed permission="recurring:read" />,
        children: [{ path: 'recurring/:subscriptionId?', lazy: async () => ({ Component: (await recurring()).RecurringScreen }) }],
      },
      {
        element: <Allowed permission="invoices:read" />,
        children: [{ path: 'invoices/:invoiceId?/:act?', lazy: async () => ({ Component: (await invoices()).InvoicesScreen }) }],
      },
      {
        element: <Allowed permission="settlement:read" />,
        children: [{ path: 'settlement/:openId?', lazy: async () => ({ Component: (await settlement()).SettlementScreen }) }],
      },
      {
        element: <Allowed permission="reporting:read" />,
        children: [{ path: 'reports/:tab?', lazy: async () => ({ Component: (await reports()).ReportsScreen }) }],
      },
      {
        element: <Allowed permission="settlement:read" />,
        children: [{ path: 'reconciliation/:date?', lazy: async () => ({ Component: (await reconciliation()).ReconciliationScreen }) }],
      },
      {
        element: <Allowed permission="notifications:read" />,
        children: [{ path: 'messages/:messageId?', lazy: async () => ({ Component: (await messages()).MessagesScreen }) }],
      },
      {
        element: <Allowed permission="webhooks:read" />,
        children: [
          { path: 'webhooks', lazy: async () => ({ Component: (await webhooks()).WebhooksScreen }) },
          { path: 'webhooks/:endpointId/:deliveryId?', lazy: async () => ({ Component: (await webhooks()).EndpointScreen }) },
        ],
      },
      {
        element: <Allowed permission="api-keys:read" />,
        children: [{ path: 'api-keys/:tab?', lazy: async () => ({ Component: (await apiKeys()).ApiKeysScreen }) }],
      },
      {
        element: <Allowed permission="users:read" />,
        children: [{ path: 'users/:tab?', lazy: async () => ({ Component: (await users()).UsersScreen }) }],
      },
      {
        element: <Allowed permission="merchants:read" />,
        children: [{ path: 'settings/:tab?', lazy: async () => ({ Component: (await settings()).SettingsScreen }) }],
      },
      {
        element: <Allowed permission="audit:read" />,
        children: [{ path: 'audit/:tab?', lazy: async () => ({ Component: (await audit()).AuditScreen }) }],
      },
      {
        element: <Allowed permission="settings:read" />,
        children: [{ path: 'system/:tab?', lazy: async () => ({ Component: (await system()).SystemScreen }) }],
      },
      { path: '*', element: <NotFoundScreen /> },
    ],
  },
]);
