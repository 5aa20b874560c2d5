import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { passLanguageOn } from '#renderer/desktop';
import { App } from './app.tsx';

/** Shows the application. */
export function start(): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no root element');
  passLanguageOn();
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
