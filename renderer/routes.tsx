import { createHashRouter, replace } from 'react-router';
import { Allowed, NotFoundScreen, RouteBoundary, Shell } from '#renderer/shell';

const sell = () => import('#renderer/screens/sell');
const transactions = () => import('#renderer/screens/transactions');

/** Fetches the screens ahead of their first use, while nothing else is to be done: a key then opens one at once. */
export function fetchScreensAhead(): void {
  const fetchAll = () => void Promise.allSettled([sell(), transactions()]);
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
      { path: '*', element: <NotFoundScreen /> },
    ],
  },
]);
