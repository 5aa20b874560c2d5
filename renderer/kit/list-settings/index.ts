export { ChoiceMenu } from './choice-menu.tsx';
export { SavedViews } from './saved-views.tsx';
export { DEFAULT_COLUMNS, useListSettings } from './store.ts';
