import { StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { resetModuleState } from '#renderer/base/module-state';
import { passLanguageOn } from '#renderer/desktop/bridge';
import { App } from './app.tsx';

let root: Root | undefined;

/** The application in this page. One object, because a bundler removes a function that no other module calls. */
export const application = {
  /** Shows the application. */
  start(): void {
    const element = document.getElementById('root');
    if (!element) throw new Error('The page has no root element');
    passLanguageOn();
    root = createRoot(element);
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    );
  },

  /** Removes the application from the page and discards its state, but not its code. `start` then shows it as a load of the page does. */
  stop(): void {
    root?.unmount();
    root = undefined;
    resetModuleState();
  },
};
