import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { QueryClientProvider } from '@tanstack/react-query';
import { queryClient } from '#renderer/base/client';
import { SCHEME_STORAGE_KEY, theme } from '#renderer/base/theme';
import { LiveRegion, OuterBoundary, Toasts } from '#renderer/kit/ui';
import { FreeTextGuard } from '#renderer/shared/card-entry';
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
