export { useOutage } from './queries.ts';
export { outageTexts } from './texts.ts';
