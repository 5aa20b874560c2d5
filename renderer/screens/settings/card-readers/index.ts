export { CardReadersTab } from './card-readers-tab.tsx';
