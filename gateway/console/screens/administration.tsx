/** The screens of administration and of statements. They are loaded separately, because few visits need them. */
export { Approvals } from './approvals.tsx';
export { Discrepancies } from './discrepancies.tsx';
export { Endpoints } from './endpoints.tsx';
export { Keys } from './keys.tsx';
export { Requests } from './requests.tsx';
export { Sessions } from './sessions.tsx';
export { StatementScreen } from './statement.tsx';
export { Statements } from './statements.tsx';
