/** Links to pages for payers. */
export { LocalOnlyNote } from './local-only-note.tsx';
export { UpdateLinkPanel } from './update-link-panel.tsx';
