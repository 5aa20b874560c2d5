import { createHashRouter, Navigate } from 'react-router';
import { NotFoundScreen, RouteBoundary, Shell } from '#renderer/shell';

/** Paths and their screens, each fetched when it is first opened. Behind a hash, so that any server can serve the page. */
export const router = createHashRouter([
  {
    element: <Shell />,
    errorElement: <RouteBoundary />,
    children: [
      { index: true, element: <Navigate to="/sell" replace /> },
      { path: 'sell', lazy: async () => ({ Component: (await import('#renderer/screens/sell')).SellScreen }) },
      {
        path: 'transactions/:transactionId?',
        lazy: async () => ({ Component: (await import('#renderer/screens/transactions')).TransactionsScreen }),
      },
      { path: '*', element: <NotFoundScreen /> },
    ],
  },
]);
