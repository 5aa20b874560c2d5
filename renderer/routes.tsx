import { createHashRouter, replace } from 'react-router';
import { Allowed, NotFoundScreen, RouteBoundary, Shell } from '#renderer/shell';

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
        children: [{ path: 'sell', lazy: async () => ({ Component: (await import('#renderer/screens/sell')).SellScreen }) }],
      },
      {
        element: <Allowed permission="transactions:read" />,
        children: [
          {
            path: 'transactions/:transactionId?',
            lazy: async () => ({ Component: (await import('#renderer/screens/transactions')).TransactionsScreen }),
          },
        ],
      },
      { path: '*', element: <NotFoundScreen /> },
    ],
  },
]);
