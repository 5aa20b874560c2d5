export { accountText, cardText, methodText } from './method-text.ts';
