export { ChoiceButtons } from './choice-buttons.tsx';
export { TabRow } from './tab-row.tsx';
