export { Allowed } from './allowed.tsx';
export { NotFoundScreen } from './not-found-screen.tsx';
export { RouteBoundary } from './route-boundary.tsx';
export { Shell } from './shell.tsx';
