export { CardFields, NO_STORAGE } from './card-fields.tsx';
export { type CardForm, useCardForm } from './use-card-form.ts';
