import { Navigate } from 'react-router';
import { useMay } from '#renderer/session';

/** Opens the screen on which a role starts: Home for users who may see figures of the business, and Sell for the front desk. */
export function FirstScreen() {
  const may = useMay();
  return <Navigate to={may('reporting:read') ? '/home' : '/sell'} replace />;
}
