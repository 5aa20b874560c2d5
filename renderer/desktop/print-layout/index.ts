export { escapeHtml, htmlDocument } from './html.ts';
