export { APP_ID } from './components.ts';
export type { ToneName } from './palette.ts';
export { SCHEME_STORAGE_KEY, theme } from './theme.ts';
