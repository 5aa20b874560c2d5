import { type Route, urlOf } from './route.ts';

/** Returns a function that names the methods of a path, such as `GET, POST`; empty for a path without a route. */
export function methodsByPath(routes: readonly Route[]): (path: string) => string {
  let patterns: { readonly pattern: RegExp; readonly method: string }[] | undefined;
  return (path) => {
    // Compiled on first use, because a wrong path is rare and the start should not wait.
    patterns ??= routes.map((route) => ({
      pattern: new RegExp(`^${urlOf(route).replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`),
      method: route.method,
    }));
    return [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))].toSorted().join(', ');
  };
}
