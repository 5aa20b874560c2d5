/** Links to pages for payers. */
export { LocalOnlyNote } from './local-only-note.tsx';
export { PageLinkPanel } from './page-link-panel.tsx';
export { UpdateLinkPanel } from './update-link-panel.tsx';
