import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { type ReactNode, useEffect, useState } from 'react';
import type { ApiFailure } from '#renderer/base/client';
import { FailureNote } from './failure-note.tsx';

/** Delay before a skeleton is shown, because a shorter one only flickers. */
const SKELETON_AFTER_MS = 150;

/** State of a request and its result. */
export interface QueryState<Data> {
  readonly data: Data | undefined;
  readonly error: ApiFailure | null;
  readonly refetch: () => unknown;
  readonly isPending: boolean;
}

interface QueryContentProps<Data> {
  readonly query: QueryState<Data>;
  /** Placeholder in the shape of the content. */
  readonly skeleton?: ReactNode;
  readonly isEmpty?: (data: Data) => boolean;
  /** Content without rows: the first action, or a way to clear the filter. */
  readonly empty?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** Shows a query as loading, failed, empty or loaded. Loaded content stays while it is fetched again. */
export function QueryContent<Data>({ query, skeleton = <Lines />, isEmpty, empty, children }: QueryContentProps<Data>) {
  const { data, error, refetch, isPending } = query;
  if (data === undefined) {
    if (error && !isPending) return <FailureNote failure={error} onRetry={() => void refetch()} />;
    return <Waiting>{skeleton}</Waiting>;
  }
  return (
    <>
      {error && (
        <Box sx={{ mb: 4 }}>
          <FailureNote failure={error} onRetry={() => void refetch()} />
        </Box>
      )}
      {isEmpty?.(data) ? empty : children(data)}
    </>
  );
}

/** Shows its skeleton only when the wait is worth showing. */
function Waiting({ children }: { children: ReactNode }) {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLong ? <Box aria-busy>{children}</Box> : null;
}

function Lines() {
  return (
    <Box sx={{ display: 'grid', gap: 3, maxWidth: 560 }}>
      <Skeleton height={20} width="60%" />
      <Skeleton height={20} />
      <Skeleton height={20} width="80%" />
    </Box>
  );
}

/** Panel in a place without content: what will appear here, and the action that makes it appear. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Box
      sx={(theme) => ({
        display: 'grid',
        justifyItems: 'center',
        py: 12,
        px: 6,
        textAlign: 'center',
        border: `1px solid ${theme.vars.palette.divider}`,
        borderRadius: 1,
        backgroundColor: theme.vars.palette.background.paper,
      })}
    >
      <Box sx={{ fontWeight: 600, mb: 1 }}>{title}</Box>
      {children && <Box sx={{ color: 'text.secondary', maxWidth: 440 }}>{children}</Box>}
      {action && <Box sx={{ mt: 5 }}>{action}</Box>}
    </Box>
  );
}
