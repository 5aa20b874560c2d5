/** Facts about invoices that several screens show. */
export { isExpired, shownState } from './shown-state.ts';
