import { createHashRouter, type RouteObject } from 'react-router';

const indexOf = (state: unknown): number | undefined => (state as { readonly idx?: number } | null)?.idx;

/**
 * Creates the router of the screens. An address that is typed into the address bar is a navigation like any other: React Router would show
 * it without asking whether unsaved changes may be discarded, because its history entry has no index.
 */
export function createScreenRouter(routes: RouteObject[]): ReturnType<typeof createHashRouter> {
  let lastIndex = 0;
  // Registered before the router's own listener, so that it can keep the event from it.
  addEventListener('popstate', (event) => {
    if (indexOf(history.state) !== undefined) return;
    event.stopImmediatePropagation();
    const typed = location.hash.slice(1) || '/';
    // The new entry shows the present screen until the router replaces it, or for good if the user stays.
    history.replaceState({ idx: lastIndex + 1 }, '', router.createHref(router.state.location));
    void router.navigate(typed, { replace: true });
  });
  const router = createHashRouter(routes);
  const keepIndex = () => {
    lastIndex = indexOf(history.state) ?? lastIndex;
  };
  keepIndex();
  router.subscribe(keepIndex);
  return router;
}
