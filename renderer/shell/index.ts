export { RouteBoundary } from './route-boundary.tsx';
export { NotFoundScreen } from './not-found-screen.tsx';
export { Shell } from './shell.tsx';
