export { BankScreen } from './bank-screen.tsx';
export { CloseScreen } from './close/close-screen.tsx';
export { SectionTabs } from './section-tabs.tsx';
