export { GiftCardsScreen } from './gift-cards-screen.tsx';
