import { useRouteError } from 'react-router';
import { FaultNote } from '#renderer/ui';

/** A screen that broke takes nothing else with it. */
export function RouteBoundary() {
  const fault = useRouteError();
  return <FaultNote fault={fault instanceof Error ? fault : new Error(String(fault))} />;
}
