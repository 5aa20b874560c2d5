export { type Html, html } from '../html.ts';
