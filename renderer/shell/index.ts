export { FirstScreen } from './navigation/index.ts';
export { NotFoundScreen } from './not-found-screen.tsx';
export { RequirePermission } from './require-permission.tsx';
export { RouteBoundary } from './route-boundary.tsx';
export { Shell } from './shell.tsx';
