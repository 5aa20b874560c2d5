import '@fontsource-variable/inter/opsz.css';
import { loadLanguage } from '#renderer/base/language';

await loadLanguage();
// Texts of modules are read when they are loaded.
const { application } = await import('./start.tsx');
application.start();
