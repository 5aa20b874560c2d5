import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { QueryClientProvider } from '@tanstack/react-query';
import { FreeTextGuard } from '#renderer/card-entry';
import { queryClient } from '#renderer/client';
import { SCHEME_STORAGE_KEY, theme } from '#renderer/theme';
import { LiveRegion, OuterBoundary, Toasts } from '#renderer/ui';
import { Gate } from './gate.tsx';

/** The application: providers and layout around the screens. */
export function App() {
  return (
    <ThemeProvider theme={theme} modeStorageKey={SCHEME_STORAGE_KEY} disableTransitionOnChange noSsr>
      <CssBaseline />
      <OuterBoundary>
        <QueryClientProvider client={queryClient}>
          <Gate />
          <FreeTextGuard />
          <LiveRegion />
          <Toasts />
        </QueryClientProvider>
      </OuterBoundary>
    </ThemeProvider>
  );
}
