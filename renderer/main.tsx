import '@fontsource-variable/inter/opsz.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no place to stand on');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
