import Box from '@mui/material/Box';
import { useEffect, useState } from 'react';
import { loadProductTexts } from '#renderer/base/language';
import { FailureNote, Lazy, useShortcutListener } from '#renderer/kit/ui';
import { clearRemainingSetup, startSession, takeProviderAnswer, useRemainingSetup, useSession } from '#renderer/session/user';

const fetchFirstRunScreen = async () => (await import('#renderer/screens/first-run')).FirstRunScreen;
const fetchRemainingSteps = async () => (await import('#renderer/screens/first-run')).RemainingSteps;
const fetchSignInScreen = async () => (await import('#renderer/screens/sign-in')).SignInScreen;
const fetchCompanyAnswerScreen = async () => (await import('#renderer/screens/sign-in')).CompanyAnswerScreen;
const fetchSetPasswordScreen = async () => (await import('#renderer/screens/sign-in')).SetPasswordScreen;
/** Loads the product: its navigation, its screens and their texts are not part of the sign-in. */
const fetchProduct = async () => {
  await loadProductTexts();
  return (await import('./product.tsx')).Product;
};

/** Returns the token if the page was opened by a link to set a password. */
function passwordToken(): string | undefined {
  const [path, query] = location.hash.split('?');
  return path === '#/set-password' ? (new URLSearchParams(query).get('token') ?? '') : undefined;
}

/** Decides what a visitor sees: the first run, the sign-in, or the product with the lock screen over it. */
export function Gate() {
  const state = useSession((session) => session.state);
  useShortcutListener();
  const [token, setToken] = useState(passwordToken);
  const [answer, setAnswer] = useState(takeProviderAnswer);
  const remaining = useRemainingSetup();
  useEffect(() => void startSession(), []);
  // The token must not stay in the address, where a screenshot or the history would keep it.
  useEffect(() => {
    if (token !== undefined) history.replaceState(null, '', '#/');
  }, [token]);
  if (token !== undefined && state.phase !== 'starting') {
    return <Lazy load={fetchSetPasswordScreen} props={{ token, onDone: () => setToken(undefined) }} />;
  }
  switch (state.phase) {
    case 'starting':
      return null;
    case 'unreachable':
      return (
        <Box component="main" sx={{ maxWidth: 560, mx: 'auto', pt: 30, px: 4 }}>
          <FailureNote failure={state.failure} onRetry={() => void startSession()} />
        </Box>
      );
    case 'first-run':
      return <Lazy load={fetchFirstRunScreen} props={{}} />;
    case 'signed-out':
      if (answer !== undefined) return <Lazy load={fetchCompanyAnswerScreen} props={{ answer, onDone: () => setAnswer(undefined) }} />;
      return <Lazy load={fetchSignInScreen} props={{}} />;
    default:
      // A reload during the first run continues there.
      if (state.phase === 'signed-in' && remaining?.email === state.me.user.email) {
        return <Lazy load={fetchRemainingSteps} props={{ remaining, onDone: async () => clearRemainingSetup() }} />;
      }
      return <Lazy load={fetchProduct} props={{ isLocked: state.phase === 'locked', userId: state.me.user.userId }} />;
  }
}
