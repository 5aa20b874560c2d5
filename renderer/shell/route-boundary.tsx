import { useRouteError } from 'react-router';
import { FaultNote } from '#renderer/kit/ui';

/** Error boundary of a screen: the rest of the page keeps working. */
export function RouteBoundary() {
  const fault = useRouteError();
  return <FaultNote fault={fault instanceof Error ? fault : new Error(String(fault))} />;
}
